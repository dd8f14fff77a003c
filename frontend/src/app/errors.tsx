import { Button } from "@mantine/core";
import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { isStatus } from "@/api/problem";
import { ErrorNote } from "@/shared/ui/feedback";
import { Empty, useTitle } from "@/shared/ui/layout";

export function NotFound() {
  useTitle("Not found");
  return (
    <Empty
      title="There is nothing here"
      action={<Button renderRoot={(props) => <Link to="/" {...props} />}>To your models</Button>}
    >
      It was moved or deleted, or belongs to a workspace that you are not in.
    </Empty>
  );
}

export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  if (isStatus(error, 404)) return <NotFound />;
  return (
    <div style={{ maxWidth: 720, margin: "32px auto", padding: "0 16px" }}>
      <h1>This page could not be shown</h1>
      <ErrorNote
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </div>
  );
}
