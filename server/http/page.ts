/**
 * What is asked for by an address and is no call of the API: HTML, redirects, forms that another site posts,
 * documents. A row says where it is and who may open it; `mount-pages.ts` holds it to that.
 *
 *     page({
 *       site: 'dialog',
 *       method: 'POST',
 *       path: '/oauth/callback/{provider}',
 *       openedBy: 'anybody',
 *       form: v.object({ code: v.string(), state: v.string() }),
 *       answer: async ({ form }, context) => ({ type: 'redirect', to: await … }),
 *     })
 */
import type { Context } from 'hono'
import type * as v from 'valibot'
import type { ServerContext } from '../context.ts'
import type { HttpEnv } from './mount.ts'

type Fields = v.GenericSchema<Record<string, unknown>>
type Parsed<Schema> = Schema extends v.GenericSchema ? v.InferOutput<Schema> : undefined

export type PageRow<Query extends Fields | undefined, Form extends Fields | undefined> = {
  /** On which hostname it is there; on others there is nothing at its path. */
  readonly site: 'dialog' | 'wallet' | 'any'
  readonly method: 'GET' | 'POST'
  /** `{name}` is a parameter. */
  readonly path: `/${string}`
  /** A page of the same origin, as the browser says it of every navigation; or anybody, by a link or a form. */
  readonly openedBy: 'same origin' | 'anybody'
  /** `Content-Security-Policy` of the answer; else nothing may run in it, and nothing may frame it. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Query
  /** Of a POST: `application/x-www-form-urlencoded`, in the names of whoever sends it. */
  readonly form?: Form
  readonly answer: (call: PageCall<Query, Form>, context: ServerContext) => Promise<PageAnswer> | PageAnswer
}

export type PageCall<Query = undefined, Form = undefined> = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Parsed<Query>
  readonly form: Parsed<Form>
  /** Who is counted by address, where one is known. */
  readonly address: string | undefined
  /** The headers of the request, and cookies and headers of the answer. */
  readonly c: Context<HttpEnv>
}

export type PageAnswer =
  | { readonly type: 'html'; readonly html: string; readonly status?: 200 | 400 | 403 | 404 }
  | { readonly type: 'redirect'; readonly to: string }
  | { readonly type: 'json'; readonly value: unknown }

/** A row whose fields were parsed by its own schemas. */
export type Page = Pick<
  PageRow<undefined, undefined>,
  'site' | 'method' | 'path' | 'openedBy' | 'policy' | 'headers'
> & {
  readonly query?: Fields | undefined
  readonly form?: Fields | undefined
  readonly answer: (call: PageCall<Fields, Fields>, context: ServerContext) => Promise<PageAnswer>
}

export const page = <
  Query extends Fields | undefined = undefined,
  Form extends Fields | undefined = undefined,
>(
  row: PageRow<Query, Form>,
): Page => ({
  ...row,
  answer: async (call, context) => row.answer(call as unknown as PageCall<Query, Form>, context),
})
