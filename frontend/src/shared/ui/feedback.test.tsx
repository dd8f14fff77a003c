import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { expect, it, vi } from "vitest";
import { ApiError, NetworkError, problemFrom } from "@/api/problem";
import { ErrorNote, FailureNote } from "./feedback";

const show = (node: ReactNode) => render(<MantineProvider>{node}</MantineProvider>);
const answer = (status: number) => new Response(null, { status, headers: { "X-Request-Id": "req-7" } });

it("shows a problem as sentence, next step, code, request and the fields it names", () => {
  const body = {
    code: "INPUT_SHAPE_NEEDED",
    detail: "The axis seq has no size.",
    hint: "Give a size for seq.",
    errors: [{ loc: ["body", "payload", "dims", "seq"], msg: "is missing" }],
  };
  show(<ErrorNote error={new ApiError(problemFrom(body, answer(422)))} />);
  const note = screen.getByRole("alert");
  expect(note.textContent).toContain("The axis seq has no size.");
  expect(note.textContent).toContain("Give a size for seq.");
  expect(note.textContent).toContain("INPUT_SHAPE_NEEDED · request req-7");
  expect(note.textContent).toContain("dims.seq is missing");
});

it("still names status and request when a proxy answered with something else", () => {
  show(<ErrorNote error={new ApiError(problemFrom("<html>", answer(502)))} />);
  expect(screen.getByRole("alert").textContent).toContain("HTTP_502 · request req-7");
});

it("tells a server that is away from one that refuses, and offers to try again", async () => {
  const again = vi.fn();
  show(<ErrorNote error={new NetworkError()} onRetry={again} />);
  expect(screen.getByRole("alert").textContent).toContain("SERVER_AWAY");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(again).toHaveBeenCalledOnce();
});

it("says whose fault a failure is and whether a retry can help, as text and never as markup", () => {
  show(
    <FailureNote
      failure={{
        code: "CRASHED",
        side: "system",
        message: "<img src=x> crashed.",
        hint: "",
        retryable: true,
        detail: { signal: 11 },
      }}
    />,
  );
  expect(screen.getByText("<img src=x> crashed.")).toBeDefined();
  expect(document.querySelector("img")).toBeNull();
  expect(screen.getByText(/a retry can help · signal: 11/)).toBeDefined();
});
