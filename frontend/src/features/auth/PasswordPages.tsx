import { Anchor, Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import * as auth from "@/api/auth";
import { ErrorNote, Note } from "@/shared/ui/feedback";
import { AuthFrame, FormErrors, fieldError } from "./AuthFrame";

const back = (
  <p>
    <Anchor component={Link} to="/sign-in" size="sm">
      Back to sign in
    </Anchor>
  </p>
);

export function PasswordRequestPage() {
  const [email, setEmail] = useState("");
  const mutation = useMutation({ mutationFn: () => auth.passwordRequest(email) });
  const errors = mutation.data?.errors ?? [];
  const sent = mutation.data && errors.length === 0;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <AuthFrame title="Reset your password" lede="We send a link to the address of your account.">
      {sent ? (
        <div style={{ marginTop: 20 }} role="status">
          <Note tone="good">
            <p>
              <strong>If {email} has an account, a link is on its way.</strong>
            </p>
            <p>
              It works once, for a limited time. On a local installation, read it in the{" "}
              <Link to="/local-mail">local mail</Link>.
            </p>
          </Note>
        </div>
      ) : (
        <form onSubmit={onSubmit}>
          <FormErrors errors={errors} fields={["email"]} />
          {mutation.isError && <ErrorNote error={mutation.error} />}
          <TextInput
            label="E-mail"
            type="email"
            name="email"
            autoComplete="email"
            required
            withAsterisk={false}
            autoFocus
            value={email}
            error={fieldError(errors, "email")}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <Button type="submit" fullWidth size="md" loading={mutation.isPending}>
            Send the link
          </Button>
        </form>
      )}
      {back}
    </AuthFrame>
  );
}

export function PasswordResetPage() {
  const { key } = useParams({ strict: false }) as { key: string };
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const check = useQuery({
    queryKey: ["password-key", key],
    queryFn: () => auth.passwordKeyCheck(key),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const mutation = useMutation({
    mutationFn: () => auth.passwordReset(key, password),
    onSuccess: async (result) => {
      if (result.errors.length === 0)
        await navigate({ to: "/sign-in", search: { reset: "done" }, replace: true });
    },
  });
  const errors = mutation.data?.errors ?? [];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  if (check.data && !check.data.ok)
    return (
      <AuthFrame title="This link no longer works" lede="A reset link works once and for a limited time.">
        <p>
          <Anchor component={Link} to="/reset-password">
            Ask for a new link
          </Anchor>
        </p>
      </AuthFrame>
    );
  return (
    <AuthFrame title="Choose a new password">
      <form onSubmit={onSubmit}>
        <FormErrors errors={errors} fields={["password"]} />
        {mutation.isError && <ErrorNote error={mutation.error} />}
        <PasswordInput
          label="New password"
          name="password"
          autoComplete="new-password"
          description="At least 8 characters, and not a common one."
          required
          withAsterisk={false}
          autoFocus
          value={password}
          error={fieldError(errors, "password")}
          visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" fullWidth size="md" loading={mutation.isPending}>
          Change the password
        </Button>
      </form>
      {back}
    </AuthFrame>
  );
}

export function VerifySentPage() {
  const { email } = useSearch({ strict: false }) as { email?: string };
  return (
    <AuthFrame title="Confirm your e-mail">
      <p>
        A link was sent to {email ? <strong>{email}</strong> : "your address"}. Follow it to finish. On a
        local installation it is in the <Link to="/local-mail">local mail</Link>.
      </p>
      {back}
    </AuthFrame>
  );
}

export function VerifyPage() {
  const { key } = useParams({ strict: false }) as { key: string };
  const navigate = useNavigate();
  const verify = useQuery({
    queryKey: ["verify-email", key],
    queryFn: () => auth.emailVerify(key),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const done = verify.data !== undefined && verify.data.errors.length === 0;
  const signedIn = verify.data?.authenticated ?? false;
  useEffect(() => {
    if (done && signedIn) void navigate({ to: "/", replace: true });
  }, [done, signedIn, navigate]);
  return (
    <AuthFrame title={done ? "Your e-mail is confirmed" : "Confirming your e-mail"}>
      {verify.isError && <ErrorNote error={verify.error} onRetry={() => void verify.refetch()} />}
      <FormErrors errors={verify.data?.errors ?? []} fields={[]} />
      {back}
    </AuthFrame>
  );
}
