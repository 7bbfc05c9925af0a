import type { AdminRoute } from '@latchkey/protocol/admin'
import { type CallInput, toRequest } from './call.ts'

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Returns the call as a shell command with an admin key. The session of the dashboard works in its pages only. */
export function toCurl(route: AdminRoute, input: CallInput, origin: string): string {
  const { method, path, body, contentType } = toRequest(route, input)
  const data = typeof body === 'string' ? ['-d', quote(body)] : ['--data-binary', '@file']
  return [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    '-H "Authorization: Bearer $LATCHKEY_KEY"',
    ...(body === undefined ? [] : [`-H 'Content-Type: ${contentType}'`, ...data]),
    quote(origin + path),
  ].join(' ')
}
