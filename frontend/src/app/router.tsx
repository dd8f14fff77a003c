import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { isStatus } from "@/api/problem";
import { meQuery } from "@/api/queries";
import { optionalText } from "@/shared/search";
import { comparisonSearch } from "@/shared/search/comparison";
import { PageSkeleton } from "@/shared/ui/layout";
import { NotFound, RouteError } from "./errors";
import { Shell } from "./Shell";

interface Context {
  queryClient: QueryClient;
}

const root = createRootRouteWithContext<Context>()({ component: Outlet });

const auth = () => import("@/features/auth");
const nextSearch = (search: Record<string, unknown>): { next?: string; reset?: string } => ({
  ...optionalText(search, "next"),
  ...optionalText(search, "reset"),
});

const publicRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    validateSearch: nextSearch,
    component: lazyRouteComponent(auth, "SignInPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/sign-up",
    validateSearch: nextSearch,
    component: lazyRouteComponent(auth, "SignUpPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/reset-password",
    component: lazyRouteComponent(auth, "PasswordRequestPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/reset-password/$key",
    component: lazyRouteComponent(auth, "PasswordResetPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/verify-email",
    validateSearch: (search): { email?: string } => optionalText(search, "email"),
    component: lazyRouteComponent(auth, "VerifySentPage"),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/verify-email/$key",
    component: lazyRouteComponent(auth, "VerifyPage"),
  }),
] as const;

/** Inside the frame, signed in or not: mail and definitions can be read without an account. */
const frame = createRoute({ getParentRoute: () => root, id: "frame", component: Shell });

const localMail = createRoute({
  getParentRoute: () => frame,
  path: "/local-mail",
  validateSearch: (search): { mail?: string } => optionalText(search, "mail"),
  component: lazyRouteComponent(() => import("@/features/local-mail/LocalMailPage"), "LocalMailPage"),
});

const app = createRoute({
  getParentRoute: () => root,
  id: "app",
  component: Shell,
  beforeLoad: async ({ context, location }) => {
    try {
      await context.queryClient.ensureQueryData(meQuery);
    } catch (error) {
      if (!isStatus(error, 401)) throw error;
      throw redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
    }
  },
});

const pages = () => import("./pages");
const models = lazyRouteComponent(pages, "ModelsPage");

const home = createRoute({ getParentRoute: () => app, path: "/", component: models });
const modelList = createRoute({ getParentRoute: () => app, path: "/models", component: models });
const model = createRoute({
  getParentRoute: () => app,
  path: "/models/$modelId",
  component: lazyRouteComponent(pages, "ModelPage"),
});
const version = createRoute({
  getParentRoute: () => app,
  path: "/versions/$versionId",
  component: lazyRouteComponent(pages, "VersionPage"),
});
const newRun = createRoute({
  getParentRoute: () => app,
  path: "/versions/$versionId/run",
  component: lazyRouteComponent(() => import("@/features/runs/NewRunPage"), "NewRunPage"),
});
const uploads = createRoute({
  getParentRoute: () => app,
  path: "/uploads",
  component: lazyRouteComponent(() => import("@/features/uploads/UploadsPage"), "UploadsPage"),
});
const runList = createRoute({
  getParentRoute: () => app,
  path: "/runs",
  validateSearch: (search): { state?: string } => optionalText(search, "state"),
  component: lazyRouteComponent(() => import("@/features/runs/RunsPage"), "RunsPage"),
});
const run = createRoute({
  getParentRoute: () => app,
  path: "/runs/$runId",
  component: lazyRouteComponent(() => import("@/features/runs/RunLayout"), "RunLayout"),
});
const runOverview = createRoute({
  getParentRoute: () => run,
  path: "/",
  component: lazyRouteComponent(() => import("@/features/runs/RunOverview"), "RunOverview"),
});
const comparison = createRoute({
  getParentRoute: () => run,
  path: "/comparison",
  validateSearch: comparisonSearch,
  component: lazyRouteComponent(() => import("@/features/comparison/ComparisonPage"), "ComparisonPage"),
});
const job = createRoute({
  getParentRoute: () => app,
  path: "/jobs/$jobId",
  component: lazyRouteComponent(() => import("@/features/jobs/JobPage"), "JobPage"),
});
const targets = createRoute({
  getParentRoute: () => app,
  path: "/targets",
  component: lazyRouteComponent(() => import("@/features/targets/TargetsPage"), "TargetsPage"),
});
const prices = createRoute({
  getParentRoute: () => app,
  path: "/prices",
  validateSearch: (search): { q?: string; provider?: string; region?: string } => ({
    ...optionalText(search, "q"),
    ...optionalText(search, "provider"),
    ...optionalText(search, "region"),
  }),
  component: lazyRouteComponent(() => import("@/features/prices/PricesPage"), "PricesPage"),
});
const tokens = createRoute({
  getParentRoute: () => app,
  path: "/tokens",
  component: lazyRouteComponent(() => import("@/features/tokens/TokensPage"), "TokensPage"),
});
const metricsHelp = createRoute({
  getParentRoute: () => frame,
  path: "/metrics-help",
  component: lazyRouteComponent(() => import("@/features/metrics-help/MetricsHelpPage"), "MetricsHelpPage"),
});

const tree = root.addChildren([
  ...publicRoutes,
  frame.addChildren([localMail, metricsHelp]),
  app.addChildren([
    home,
    modelList,
    model,
    version,
    newRun,
    uploads,
    runList,
    run.addChildren([runOverview, comparison]),
    job,
    targets,
    prices,
    tokens,
  ]),
]);

export const createAppRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree: tree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    defaultPendingComponent: PageSkeleton,
    defaultPendingMs: 300,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
