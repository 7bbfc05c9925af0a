/** A message and typed data on the page of confirmations, read anew from the request. */
import { LatchkeyError } from '@latchkey/protocol'
import { screen } from '../../core/screen.ts'
import {
  type ReadSubject,
  type Subject,
  type SubjectPorts,
  type SubjectRecord,
  walletOf,
} from '../../core/subject.ts'
import { hexOfBytes, hexOfText } from '../../hex.ts'
import { requestScreen } from './screens.ts'
import { shownRequest } from './shown-request.ts'
import { type ShownContent, typedContent } from './to-sign.ts'
import { digestOfMessage, readTypedData as readTyped } from './typed-data/later-read.ts'

export const readMessage: ReadSubject = async (record, ports) => {
  const message = textOf(record.request.params[0] ?? '')
  return subject(record, ports, { kind: 'message', message }, digestOfMessage(message))
}

/** What is signed is the text itself; it is named by a digest of its own. */
export const readSolanaMessage: ReadSubject = async (record, ports) => {
  const message = record.request.params[0] ?? ''
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(message))
  return subject(record, ports, { kind: 'message', message }, hexOfBytes(new Uint8Array(digest)))
}

export const readTypedData: ReadSubject = async (record, ports) => {
  const { data, digest } = readTyped(record.request.params[1] ?? '')
  return subject(record, ports, typedContent(data), digest)
}

/** Every text is sent as hex. Bytes that are none can not be shown. */
function textOf(hex: string): string {
  const bytes = Uint8Array.from(hex.slice(2).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  const message = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  if (hexOfText(message) === hex.toLowerCase()) return message
  throw new LatchkeyError('invalid_message', 'What is to be signed is no text')
}

function subject(
  record: SubjectRecord,
  { settings }: SubjectPorts,
  content: ShownContent,
  digest: string,
): Subject {
  const shown = shownRequest({ content, address: walletOf(record), origin: record.origin }, settings())
  return {
    digest,
    screen: (step, handlers) =>
      screen(
        requestScreen,
        step.status === 'review'
          ? { ...shown, status: 'review', approval: step.shown }
          : { ...shown, status: 'signing' },
        { ...handlers, retry: () => {}, leave: () => {} },
      ),
  }
}
