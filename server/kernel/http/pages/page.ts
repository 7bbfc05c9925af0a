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
import type { ServerContext } from '../../context.ts'
import { parseFields } from '../body.ts'
import type { HttpEnv } from '../mount.ts'
import { leftOut } from '../steps.ts'
import type { Wait } from '../waits.ts'

type Address = {
  /** The hostname that serves the page; on others there is nothing at its path. */
  readonly site: 'dialog' | 'wallet' | 'any'
  readonly method: 'GET' | 'POST' | 'OPTIONS'
  /** `{name}` is a parameter. */
  readonly path: `/${string}`
  /** A page of the same origin, as the browser says it of every navigation (`opened-by.ts`); or anybody, by a link or a form. */
  readonly openedBy: 'same origin' | 'anybody'
  /** Counts against the changes of the address, for a GET that adds rows. A POST always does. */
  readonly paced?: 'changes'
  /** `Content-Security-Policy` of the answer; else nothing may run in it, and nothing may frame it. */
  readonly policy?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type PageRow<Query, Form> = Address & {
  readonly query?: v.GenericSchema<unknown, Query>
  /** The fields of a POST: `application/x-www-form-urlencoded`, in the names of its sender. */
  readonly form?: v.GenericSchema<unknown, Form>
  readonly answer: (call: PageCall<Query, Form>, context: ServerContext) => Promise<PageAnswer> | PageAnswer
}

export type PageCall<Query, Form> = {
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly form: Form
  /** Who is counted by address, where one is known. */
  readonly address: string | undefined
  /** Holds the page open until something happens. */
  readonly wait: Wait
  /** The headers of the request, and cookies and headers of the answer. */
  readonly c: Context<HttpEnv>
}

export type PageAnswer =
  | { readonly type: 'html'; readonly html: string; readonly status?: 200 | 400 | 403 | 404 }
  | { readonly type: 'redirect'; readonly to: string }
  /** A file that a page loads: its script or its styles. */
  | { readonly type: 'file'; readonly mediaType: 'text/javascript' | 'text/css'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  /** Other code has answered on the socket itself; nothing is added. */
  | { readonly type: 'answered' }

type Fields = Readonly<Record<string, string>>

/** A row that takes fields as they came: it parses them by its own schemas. */
export type Page = Address & {
  readonly takesForm: boolean
  readonly answer: (call: PageCall<Fields, Fields>, context: ServerContext) => Promise<PageAnswer>
}

export const page = <Query = undefined, Form = undefined>({
  query,
  form,
  answer,
  ...address
}: PageRow<Query, Form>): Page => ({
  ...address,
  takesForm: form !== undefined,
  answer: async (call, context) =>
    answer(
      {
        ...call,
        query: query ? parseFields(query, call.query) : leftOut,
        form: form ? parseFields(form, call.form) : leftOut,
      },
      context,
    ),
})
