import type { MoreDoc } from '../rows/host-call.ts'
import type { forkCalls } from './fork.ts'

export const forkDoc: MoreDoc<typeof forkCalls> = {
  forkSession: {
    says: 'A one-use code of 60 s from which another page of the app starts a session that ends with this one. It signs where the device has its share, and may not recover, create, export, link, delete or revoke.',
    errors: ['must_be_authenticated', 'insufficient_scope'],
  },
}
