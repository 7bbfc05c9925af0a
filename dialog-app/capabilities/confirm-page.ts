/** What the page of confirmations is made of: its flow, and what each capability shows on it. */
import type { Subjects } from '../core/subject.ts'

export { confirmationPage } from './confirm/page/page-flow.ts'

const readAction = async () => (await import('./confirm/action/later-subject.ts')).readAction

export const subjects: Subjects = {
  export: readAction,
  'delete-account': readAction,
  'remove-method': readAction,
  personal_sign: async () => (await import('./sign/later-subject.ts')).readMessage,
  signMessage: async () => (await import('./sign/later-subject.ts')).readSolanaMessage,
  eth_signTypedData_v4: async () => (await import('./sign/later-subject.ts')).readTypedData,
  eth_signTransaction: async () => (await import('./send/later-subject.ts')).readTransaction,
}
