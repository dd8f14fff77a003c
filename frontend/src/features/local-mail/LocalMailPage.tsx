import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { isStatus } from "@/api/problem";
import { localMailQuery } from "@/api/queries";
import type { LocalMail } from "@/api/types";
import { Ago, ErrorNote } from "@/shared/ui/feedback";
import { Empty, PageHead, RowsSkeleton, Section } from "@/shared/ui/layout";
import styles from "./mail.module.css";

const route = getRouteApi("/frame/local-mail");

/** The text with its addresses as links; nothing else in it is markup. */
function Linked({ text }: { text: string }) {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one fixed text
      <a key={index} href={part}>
        {part}
      </a>
    ) : (
      part
    ),
  );
}

function Mail({ mail }: { mail: LocalMail }) {
  return (
    <article className={styles.mail} aria-label={mail.subject}>
      <div className={styles.mailHead}>
        <strong>{mail.subject}</strong>
        <div className="dim" style={{ fontSize: "0.84rem" }}>
          to {mail.to}, <Ago at={mail.created_at} />
        </div>
      </div>
      {mail.html && (
        // No scripts, no forms, no same origin: a mail may only be looked at, and its links followed.
        <iframe
          className={styles.frame}
          title={`${mail.subject}, as HTML`}
          sandbox="allow-top-navigation-by-user-activation"
          srcDoc={`<base target="_top">${mail.html}`}
        />
      )}
      <details open={!mail.html || undefined} style={{ borderTop: "1px solid var(--ws-line)" }}>
        <summary style={{ padding: "10px 20px", cursor: "pointer" }}>As text</summary>
        <pre className={styles.text}>
          <Linked text={mail.text} />
        </pre>
      </details>
    </article>
  );
}

export function LocalMailPage() {
  const query = useQuery(localMailQuery);
  const { mail: chosen } = route.useSearch();
  if (isStatus(query.error, 404))
    return (
      <>
        <PageHead title="Local mail" />
        <Section title="Not here">
          <Empty title="Mail leaves by SMTP">
            This installation sends its mail to real mailboxes, so there is none to show.
          </Empty>
        </Section>
      </>
    );
  const mails = query.data?.items ?? [];
  const shown = mails.find((mail) => mail.id === chosen) ?? mails[0];
  return (
    <>
      <PageHead title="Local mail" lede="What this installation would have sent. It stays on this machine." />
      {query.isError && <ErrorNote error={query.error} onRetry={() => void query.refetch()} />}
      <Section title="Outbox" flush>
        {query.isPending && <RowsSkeleton rows={4} />}
        {query.isSuccess && !shown && (
          <Empty title="No mail yet">A password reset and the end of a run each send one.</Empty>
        )}
        {shown && (
          <div className={styles.panes}>
            <ul className={styles.list}>
              {mails.map((mail) => (
                <li key={mail.id}>
                  <Link
                    to="/local-mail"
                    search={{ mail: mail.id }}
                    resetScroll={false}
                    aria-current={mail.id === shown.id ? "true" : undefined}
                  >
                    {mail.subject}
                    <small>
                      to {mail.to}, <Ago at={mail.created_at} />
                    </small>
                  </Link>
                </li>
              ))}
            </ul>
            <Mail key={shown.id} mail={shown} />
          </div>
        )}
      </Section>
    </>
  );
}
