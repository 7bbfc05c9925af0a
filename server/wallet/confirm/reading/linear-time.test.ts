/** Tests that texts of any session, mail or browser are parsed in linear time, so that no request blocks the server. */
import { slowRepetitions } from '@latchkey/protocol/reading/linear-time'
import { expect, test } from 'vitest'
import { oneLine } from '../../../integrations/mail/one-line.ts'
import { sanitizeReason } from '../../../kernel/log.ts'
import { deviceLabel } from '../../../login/passkey/device.ts'
import { readRequest } from './read-request.ts'

const address = '0x00000000000000000000000000000000000000aa'
const message = (text: string) => readRequest({ method: 'personal_sign', params: [text, address] }, address)

test.each<[string, (text: string) => unknown]>([
  ['message', (text) => message(text.slice(0, 65_536))],
  ['line of a mail', oneLine],
  ['logged reason', (text) => sanitizeReason(new Error(text))],
  ['user agent', (text) => deviceLabel('', text)],
  ['user agent of Safari', (text) => deviceLabel('', `Version/${text}`)],
])('a %s takes linear time for long repetitions', (_name, read) => {
  expect(slowRepetitions(read)).toEqual([])
})
