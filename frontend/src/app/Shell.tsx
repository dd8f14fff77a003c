import { ActionIcon, Drawer, Menu, Tooltip, useMantineColorScheme } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import * as auth from "@/api/auth";
import { connectionSet, useServerAway } from "@/api/connection";
import { meQuery } from "@/api/queries";
import { UploadKeeper, UploadStrip, uploadManager } from "@/features/uploads";
import { Icon, Mark } from "@/shared/ui/icons";
import styles from "./shell.module.css";

const PLACES = [
  { to: "/models", label: "Models" },
  { to: "/runs", label: "Runs" },
  { to: "/targets", label: "Targets" },
  { to: "/prices", label: "Prices" },
  { to: "/tokens", label: "Tokens" },
] as const;

function Places({ onGo, localMail }: { onGo?: () => void; localMail: boolean }) {
  const go = onGo ? { onClick: onGo } : {};
  return (
    <>
      {PLACES.map((place) => (
        <Link key={place.to} to={place.to} {...go}>
          {place.label}
        </Link>
      ))}
      {localMail && (
        <Link to="/local-mail" {...go}>
          Local mail
        </Link>
      )}
    </>
  );
}

const NEXT = { auto: "light", light: "dark", dark: "auto" } as const;
const SCHEME_ICONS = { auto: "auto", light: "sun", dark: "moon" } as const;

function SchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const label = `Colours: ${colorScheme}. Change to ${NEXT[colorScheme]}`;
  return (
    <Tooltip label={label}>
      <ActionIcon size="lg" aria-label={label} onClick={() => setColorScheme(NEXT[colorScheme])}>
        <Icon name={SCHEME_ICONS[colorScheme]} size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

function AccountMenu({ email, workspace }: { email: string; workspace: string }) {
  const client = useQueryClient();
  const router = useRouter();
  const leave = async () => {
    await auth.signOut();
    uploadManager.forget();
    client.clear();
    await router.navigate({ to: "/sign-in", replace: true });
  };
  return (
    <Menu position="bottom-end" width={240} shadow="md">
      <Menu.Target>
        <ActionIcon size="lg" aria-label={`Account of ${email}`}>
          <Icon name="user" size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {email}
          <br />
          {workspace}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item onClick={() => void leave()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** While the server is away, ask for a sign of life, then let every query ask again. */
function AwayBanner() {
  const away = useServerAway();
  const client = useQueryClient();
  useEffect(() => {
    if (!away) return;
    const id = setInterval(async () => {
      const alive = await fetch("/health/live").catch(() => null);
      if (!alive?.ok) return;
      connectionSet(false);
      await client.invalidateQueries();
    }, 3_000);
    return () => clearInterval(id);
  }, [away, client]);
  return (
    <div aria-live="polite">
      {away && (
        <div className={styles.banner}>
          <div>
            <Icon name="warning" />
            The server cannot be reached. What you see may be old; the page carries on by itself.
          </div>
        </div>
      )}
    </div>
  );
}

/** After going to another page, focus and reading start at its top. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const first = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what triggers it
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

export function Shell() {
  const { data: me } = useQuery({ ...meQuery, retry: false });
  const [opened, drawer] = useDisclosure();
  const main = useFocusOnNavigation();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const listed = pathname === "/" || pathname === "/models" || pathname === "/uploads";
  const localMail = me?.features.local_mail ?? false;
  return (
    <>
      <a href="#main" className="skip">
        Skip to the content
      </a>
      <header className={styles.header}>
        <div className={styles.bar}>
          <Link to="/" className={styles.brand}>
            <Mark /> Whetstone
          </Link>
          <nav className={styles.nav} aria-label="Main">
            {me && <Places localMail={localMail} />}
          </nav>
          <div className={styles.right}>
            <SchemeToggle />
            {me ? (
              <AccountMenu email={me.user.email} workspace={me.workspace.name} />
            ) : (
              <Link to="/sign-in">Sign in</Link>
            )}
            {me && (
              <ActionIcon className={styles.burger} size="lg" aria-label="Menu" onClick={drawer.open}>
                <Icon name="menu" size={20} />
              </ActionIcon>
            )}
          </div>
        </div>
        <div className={styles.scale} aria-hidden="true" />
      </header>
      <Drawer
        opened={opened}
        onClose={drawer.close}
        position="right"
        size="xs"
        title="Menu"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <nav className={styles.drawer} aria-label="Main">
          <Places onGo={drawer.close} localMail={localMail} />
        </nav>
      </Drawer>
      <AwayBanner />
      {me && <UploadKeeper />}
      {me && !listed && <UploadStrip />}
      <main id="main" className={styles.main} ref={main} tabIndex={-1} style={{ outline: "none" }}>
        <Outlet />
      </main>
      <footer className={styles.foot}>
        <div>
          <Link to="/metrics-help">What the figures mean</Link>
          <a href="/api/v1/docs">API</a>
        </div>
      </footer>
    </>
  );
}
