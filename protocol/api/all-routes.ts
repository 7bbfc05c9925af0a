import { customJwtRoutes } from './custom-jwt.ts'
import { firstRoutes } from './first-routes.ts'
import { oauthRoutes } from './oauth.ts'

/** Every call of boundary 3. A file of its own, so that a bundle that needs a few of them leaves it out. */
export const apiRoutes = { ...firstRoutes, ...oauthRoutes, ...customJwtRoutes } as const
