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
  site: 'dialog' | 'wallet' | 'any'
  method: 'GET' | 'POST' | 'OPTIONS'
  /** `{name}` is a parameter. */
  path: `/${string}`
  /** A page of the same origin, as the browser says it of every navigation (`opened-by.ts`); or anybody, by a link or a form. */
  openedBy: 'same origin' | 'anybody'
  /** Counts against the changes of the address, for a GET that adds rows. A POST always does. */
  paced?: 'changes'
  /** `Content-Security-Policy` of the answer; else nothing may run in it, and nothing may frame it. */
  policy?: string
  headers?: Readonly<Record<string, string>>
}

export type PageRow<Query, Form> = Address & {
  query?: v.GenericSchema<unknown, Query>
  /** The fields of a POST: `application/x-www-form-urlencoded`, in the names of its sender. */
  form?: v.GenericSchema<unknown, Form>
  answer: (call: PageCall<Query, Form>, context: ServerContext) => Promise<PageAnswer> | PageAnswer
}

export type PageCall<Query, Form> = {
  params: Readonly<Record<string, string>>
  query: Query
  form: Form
  /** Who is counted by address, where one is known. */
  address: string | undefined
  /** Holds the page open until something happens. */
  wait: Wait
  /** The headers of the request, and cookies and headers of the answer. */
  c: Context<HttpEnv>
}

export type PageAnswer =
  | { type: 'html'; html: string; status?: 200 | 400 | 403 | 404 }
  | { type: 'redirect'; to: string }
  /** A file that a page loads: its script or its styles. */
  | { type: 'file'; mediaType: 'text/javascript' | 'text/css'; text: string }
  | { type: 'json'; value: unknown }
  /** Other code has answered on the socket itself; nothing is added. */
  | { type: 'answered' }

type Fields = Readonly<Record<string, string>>

/** A row that takes fields as they came: it parses them by its own schemas. */
export type Page = Address & {
  takesForm: boolean
  answer: (call: PageCall<Fields, Fields>, context: ServerContext) => Promise<PageAnswer>
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
