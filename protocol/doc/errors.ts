/** Renders docs/reference/errors.md from the error codes and their documentation. */
import { errorDocs } from '../errors/error-docs.ts'
import { reservedCodes } from '../errors/reserved-codes.ts'
import { markdownPage, markdownTable } from './markdown.ts'

/** Returns the code with the anchor that `docsUrl` of a `LatchkeyError` names. */
const codeCell = (code: string) => `<a id="${code}"></a>\`${code}\``

export function renderErrors(): string {
  const sent = Object.entries(errorDocs).toSorted(([one], [other]) => one.localeCompare(other, 'en'))
  return markdownPage(
    'Error codes',
    'Every rejection is a `LatchkeyError { code, message, details, retryAfterSeconds, docsUrl, cause }`. `docsUrl` links the row of the code on this page. Compare `code`: the message is for people and may change. The HTTP API answers `{ error, code, details? }` with the same codes.',
    [
      '- **from**: the part that creates the error. `channel` is the messaging between the windows, on either side.',
      '- A code of the server, the wallet or the channel reaches the caller of the loader unless the dialog handles it.',
    ],
    markdownTable(
      ['code', 'from', 'meaning', 'do this'],
      sent.map(([code, [senders, meaning, action]]) => [codeCell(code), senders.join(', '), meaning, action]),
    ),
    '## Reserved codes',
    'These codes are in the types, but never sent.',
    markdownTable(
      ['code', 'reason'],
      Object.entries(reservedCodes).map(([code, reason]) => [codeCell(code), reason]),
    ),
  )
}
