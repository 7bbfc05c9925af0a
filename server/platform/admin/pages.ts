/** Parameters of lists: times and keyset cursors. Stores read one row more than the limit, which shows a next page. */
import { AdminError } from '../../kernel/http/admin-endpoint.ts'

type Position = { at: number; id: string }

export const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

export const parseSeconds = (text: string | undefined) =>
  text === undefined ? undefined : Math.ceil(Date.parse(text) / 1_000)
export function toPage<Row>(rows: Row[], limit: number, formatCursor: (last: Row) => string) {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { page, next: rows.length > limit && last !== undefined ? formatCursor(last) : null }
}

export const formatPosition = ({ at, id }: Position) => Buffer.from(`${at}.${id}`).toString('base64url')

export function parsePosition(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined
  const [, at, id] =
    /^(\d{1,12})\.([A-Za-z0-9_-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined) throw invalidCursor()
  return { at: Number(at), id }
}

export const invalidCursor = () =>
  new AdminError('invalid_data', 'Pass `next` of the previous page', { path: 'after' })
