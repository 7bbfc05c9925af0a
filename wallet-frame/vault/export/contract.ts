/** Schemas of the export vault's responses. The only file of `vault/export/` that the page imports. */
import { sealingKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'

export type { ExportInputs } from './requests.ts'

/** The forms in which a secret can be shown. A wallet from an imported key has no phrase. */
export const secretForms = ['key', 'phrase'] as const
export type SecretForm = (typeof secretForms)[number]

export const exportOutputs = {
  begin: v.strictObject({ publicKey: sealingKey }),
  open: v.strictObject({ forms: v.array(v.picklist(secretForms)) }),
  /** ASCII bytes, because bytes can be zeroed and a string cannot. */
  show: v.strictObject({ text: v.instance(Uint8Array) }),
  stop: v.strictObject({}),
} as const
export type ExportOutputs = typeof exportOutputs
