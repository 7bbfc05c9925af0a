/** CORS for APIs that pages of any origin may call. https://fetch.spec.whatwg.org/#http-cors-protocol */
import type { Call, Route } from './http.ts'

const getPreflightHeaders = (allowedHeaders: string) => ({
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': allowedHeaders,
})

/** Adds CORS headers to the routes, and an OPTIONS route for the preflight of each path. */
export const allowCrossOrigin = (
  routes: readonly Route[],
  allowedHeaders = 'authorization, content-type',
) => {
  const paths = [...new Map(routes.map(({ path }) => [path.source, path])).values()]
  const withCors = (handle: Route['handle']) => (call: Call) => {
    call.response.setHeader('access-control-allow-origin', call.request.headers.origin ?? '*')
    call.response.setHeader('vary', 'origin')
    return handle(call)
  }
  return [
    ...routes.map((route) => ({ ...route, handle: withCors(route.handle) })),
    ...paths.map(
      (path): Route => ({
        method: 'OPTIONS',
        path,
        handle: withCors(({ response }) => {
          response.writeHead(204, getPreflightHeaders(allowedHeaders)).end()
        }),
      }),
    ),
  ]
}
