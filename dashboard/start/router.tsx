import { oidcReturnPath } from '@latchkey/protocol/admin'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
} from '@tanstack/react-router'
import { auditSearch } from '../screens/audit-search.ts'
import { importSearch } from '../screens/import-search.ts'
import { messagesSearch } from '../screens/messages-search.ts'
import { usersSearch } from '../screens/users-search.ts'
import { webhookSearch } from '../screens/webhook-search.ts'
import { Frame, Home } from '../shell/frame.tsx'
import { Invitation, OidcReturn } from '../shell/sign-in.tsx'
import { Empty, Loading, Problem } from '../ui/states.tsx'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: () => <Empty title="There is no such screen" />,
  errorComponent: ({ error }) => <Problem error={error as Error} />,
})
const invitation = createRoute({ getParentRoute: () => root, path: '/invitation', component: Invitation })
const oidcReturn = createRoute({ getParentRoute: () => root, path: oidcReturnPath, component: OidcReturn })
const signedIn = createRoute({ getParentRoute: () => root, id: 'signed-in', component: Frame })

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: Home })
const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/users',
  validateSearch: usersSearch,
  component: lazyRouteComponent(() => import('../screens/users.tsx'), 'Users'),
})
const user = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/users/$user',
  component: lazyRouteComponent(() => import('../screens/user.tsx'), 'User'),
})
const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/webhooks',
  component: lazyRouteComponent(() => import('../screens/webhooks.tsx'), 'Webhooks'),
})
const webhook = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/webhooks/$webhook',
  validateSearch: webhookSearch,
  component: lazyRouteComponent(() => import('../screens/webhook.tsx'), 'Webhook'),
})
const approvals = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/approvals',
  component: lazyRouteComponent(() => import('../screens/approvals.tsx'), 'Approvals'),
})
const proposal = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/approvals/$proposal',
  component: lazyRouteComponent(() => import('../screens/proposal.tsx'), 'Proposal'),
})
const hooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/hooks',
  component: lazyRouteComponent(() => import('../screens/hooks.tsx'), 'Hooks'),
})
const loginProviders = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/oidc',
  component: lazyRouteComponent(() => import('../screens/login-providers.tsx'), 'LoginProviders'),
})
const descriptors = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/descriptors',
  component: lazyRouteComponent(() => import('../screens/descriptors.tsx'), 'Descriptors'),
})
const imports = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/imports',
  component: lazyRouteComponent(() => import('../screens/imports.tsx'), 'Imports'),
})
const importJob = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/imports/$import',
  validateSearch: importSearch,
  component: lazyRouteComponent(() => import('../screens/import.tsx'), 'Import'),
})
const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/messages',
  validateSearch: messagesSearch,
  component: lazyRouteComponent(() => import('../screens/messages.tsx'), 'Messages'),
})
const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/audit',
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import('../screens/audit.tsx'), 'Audit'),
})
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/settings',
  component: lazyRouteComponent(() => import('../screens/settings.tsx'), 'Settings'),
})
const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/apps/$app/overview',
  component: lazyRouteComponent(() => import('../screens/overview.tsx'), 'Overview'),
})
const operators = createRoute({
  getParentRoute: () => signedIn,
  path: '/operators',
  component: lazyRouteComponent(() => import('../screens/operators.tsx'), 'Operators'),
})
const passkeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/passkeys',
  component: lazyRouteComponent(() => import('../screens/passkeys.tsx'), 'Passkeys'),
})
const system = createRoute({
  getParentRoute: () => signedIn,
  path: '/system',
  component: lazyRouteComponent(() => import('../screens/system.tsx'), 'System'),
})

export const createDashboardRouter = (history?: RouterHistory) =>
  createRouter({
    ...(history && { history }),
    routeTree: root.addChildren([
      invitation,
      oidcReturn,
      signedIn.addChildren([
        home,
        users,
        user,
        webhooks,
        webhook,
        approvals,
        proposal,
        hooks,
        loginProviders,
        descriptors,
        imports,
        importJob,
        messages,
        audit,
        settings,
        overview,
        operators,
        passkeys,
        system,
      ]),
    ]),
    defaultPendingComponent: Loading,
    scrollRestoration: false,
  })

declare module '@tanstack/react-router' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Only an interface can be merged.
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
