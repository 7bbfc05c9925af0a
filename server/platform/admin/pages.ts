/** Parameters of lists: times, and positions after which the next page starts. */
import { AdminError } from '../../kernel/http/admin-endpoint.ts'

type Position = { at: number; id: string }

export const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()

export const parseSeconds = (text: string | undefined) =>
  text === undefined ? undefined : Math.ceil(Date.parse(text) / 1_000)

export const formatPosition = ({ at, id }: Position) => Buffer.from(`${at}.${id}`).toString('base64url')

export function parsePosition(text: string | undefined): Position | undefined {
  if (text === undefined) return undefined
  const [, at, id] =
    /^(\d{1,12})\.([A-Za-z0-9_-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined) {
    throw new AdminError('invalid_data', 'Pass `next` of the previous page', { path: 'after' })
  }
  return { at: Number(at), id }
}
