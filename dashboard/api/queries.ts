/** TanStack Query options of calls that read. */
import type { AdminRoute } from '@latchkey/protocol/admin'
import {
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { type CallAnswer, CallFailure, type CallInput, callAdmin, readStream } from './call.ts'
import { sessionQuery } from './session.ts'

type Reading = AdminRoute & { effect: 'reads' }

export const adminQuery = <const R extends Reading>(route: R, input: CallInput<R>) =>
  queryOptions({
    queryKey: [route.path, input],
    queryFn: ({ signal }) => callAdmin(route, input, signal),
  })

/** Every list has the parameter `after`. */
const withCursor = <R extends AdminRoute>(input: CallInput<R>, after: string | undefined) =>
  ({ ...input, query: { ...input.query, after } }) as object as CallInput<R>

/** Reads a list page by page. */
export const adminPages = <const R extends Reading>(route: R, input: CallInput<R>) =>
  infiniteQueryOptions({
    queryKey: [route.path, 'pages', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }): Promise<CallAnswer<R>> =>
      callAdmin(route, withCursor(input, pageParam), signal),
    getNextPageParam: ({ output }) => (Reflect.get(Object(output), 'next') as string | null) ?? undefined,
  })

const linesPerPage = 50

/** Reads a stream page by page, like a list. The last line of a page has the cursor of the next one. */
export const adminStreamPages = <const R extends AdminRoute & { stream: true }>(
  route: R,
  input: CallInput<R>,
) =>
  infiniteQueryOptions({
    queryKey: [route.path, 'pages', input],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const lines = await readStream(route, withCursor(input, pageParam), linesPerPage + 1, signal)
      return { output: { data: lines.slice(0, linesPerPage), hasMore: lines.length > linesPerPage } }
    },
    getNextPageParam: ({ output: { data, hasMore } }) =>
      hasMore ? (Reflect.get(Object(data.at(-1)), 'cursor') as string) : undefined,
  })

export function createQueryClient(): QueryClient {
  /** Shows the sign-in when the session has ended. */
  const onError = (error: Error) => {
    if (error instanceof CallFailure && error.code === 'session_expired') {
      client.setQueryData(sessionQuery.queryKey, null)
    }
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Only an unreachable server may answer the next time.
      queries: {
        retry: (count, error) => count < 2 && error instanceof CallFailure && error.code === 'unreachable',
      },
    },
  })
  return client
}
