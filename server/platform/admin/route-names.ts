import { type AdminRoute, adminRoutes } from '@latchkey/protocol/admin'

const names = new Map<AdminRoute, string>(Object.entries(adminRoutes).map(([name, route]) => [route, name]))

/** Returns the name of a row, which the audit log and OpenAPI contain. */
export function nameRoute(route: AdminRoute): string {
  const name = names.get(route)
  if (name === undefined) throw new Error(`${route.method} ${route.path} is not in adminRoutes`)
  return name
}
