"""Log lines: one JSON object each, with the request's id, so that one grep follows one request."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime

request_id_var: ContextVar[str] = ContextVar("request_id", default="")
# Attributes that every LogRecord has; anything else was passed as `extra` and belongs in the line.
_STANDARD = frozenset(logging.LogRecord("", 0, "", 0, "", (), None).__dict__) | {
    "message",
    "asctime",
    "taskName",
}


class LineFormatter(logging.Formatter):
    """JSON escapes line breaks and control characters, so a stranger's text cannot forge a second line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := request_id_var.get():
            line["request_id"] = request_id
        # Django passes the request object itself: its text holds the address, which the line has already.
        line |= {
            k: v
            for k, v in record.__dict__.items()
            if k not in _STANDARD and k not in {"request", "server_time"}
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)
