/** How an API that pages of any site may call says so. https://fetch.spec.whatwg.org/#http-cors-protocol */
import type { Call, Route } from './http.ts'

const allowed = {
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': 'authorization, content-type',
} as const

/** Each answers the question of a browser too, whether it may. */
export const openToPages = (routes: readonly Route[]): readonly Route[] => {
  const paths = [...new Map(routes.map(({ path }) => [path.source, path])).values()]
  const opened = (handle: Route['handle']) => (call: Call) => {
    call.response.setHeader('access-control-allow-origin', call.request.headers.origin ?? '*')
    call.response.setHeader('vary', 'origin')
    return handle(call)
  }
  return [
    ...routes.map((route) => ({ ...route, handle: opened(route.handle) })),
    ...paths.map(
      (path): Route => ({
        method: 'OPTIONS',
        path,
        handle: opened(({ response }) => {
          response.writeHead(204, allowed).end()
        }),
      }),
    ),
  ]
}
