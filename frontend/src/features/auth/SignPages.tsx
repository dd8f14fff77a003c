import { Anchor, Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import * as auth from "@/api/auth";
import { ErrorNote, Note } from "@/shared/ui/feedback";
import { AuthFrame, FormErrors, fieldError } from "./AuthFrame";

/** Only a path of our own may follow a sign-in. */
const safeNext = (next: string | undefined): string =>
  next?.startsWith("/") && !next.startsWith("//") && !next.startsWith("/\\") ? next : "/";

function useEnter() {
  const client = useQueryClient();
  const router = useRouter();
  const search = useSearch({ strict: false }) as { next?: string };
  return async () => {
    client.clear();
    await router.navigate({ href: safeNext(search.next), replace: true });
  };
}

type Submit = (email: string, password: string) => Promise<auth.AuthResult>;

function Credentials({ submit, isNew, label }: { submit: Submit; isNew: boolean; label: string }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const enter = useEnter();
  const navigate = useNavigate();
  const mutation = useMutation({
    mutationFn: () => submit(email, password),
    onSuccess: async (result) => {
      if (result.authenticated) await enter();
      else if (result.pending === "verify_email") await navigate({ to: "/verify-email", search: { email } });
    },
  });
  const errors = mutation.data?.errors ?? [];
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutation.mutate();
  };
  return (
    <form onSubmit={onSubmit}>
      <FormErrors errors={errors} fields={["email", "password"]} />
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
      <PasswordInput
        label="Password"
        name="password"
        autoComplete={isNew ? "new-password" : "current-password"}
        description={isNew ? "At least 8 characters, and not a common one." : undefined}
        required
        withAsterisk={false}
        value={password}
        error={fieldError(errors, "password")}
        visibilityToggleButtonProps={{ "aria-label": "Show or hide the password" }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth size="md" loading={mutation.isPending}>
        {label}
      </Button>
    </form>
  );
}

export function SignInPage() {
  const search = useSearch({ strict: false }) as { next?: string; reset?: string };
  return (
    <AuthFrame
      title="Sign in"
      lede={
        <>
          New here?{" "}
          <Anchor
            renderRoot={(props) => (
              <Link to="/sign-up" search={search.next ? { next: search.next } : {}} {...props} />
            )}
          >
            Make an account
          </Anchor>
        </>
      }
    >
      {search.reset && (
        <div style={{ marginTop: 16 }}>
          <Note tone="good">Your password is changed. Sign in with the new one.</Note>
        </div>
      )}
      <Credentials submit={auth.signIn} isNew={false} label="Sign in" />
      <p>
        <Anchor component={Link} to="/reset-password" size="sm">
          Forgotten your password?
        </Anchor>
      </p>
    </AuthFrame>
  );
}

export function SignUpPage() {
  return (
    <AuthFrame
      title="Make an account"
      lede={
        <>
          Have one already?{" "}
          <Anchor component={Link} to="/sign-in">
            Sign in
          </Anchor>
        </>
      }
    >
      <Credentials submit={auth.signUp} isNew label="Make the account" />
    </AuthFrame>
  );
}
