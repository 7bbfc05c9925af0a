/** Reads what the server wrote into the page. */
import { type DialogInlineConfig, dialogInlineConfigSchema, LatchkeyError, product } from '@latchkey/protocol'
import * as v from 'valibot'

export function readInlineConfig(document: Pick<Document, 'getElementById'>): DialogInlineConfig {
  const json = document.getElementById(product.inlineConfigElementId)?.textContent
  if (!json) throw new LatchkeyError('invalid_data', 'This page was served without its configuration')
  const parsed = v.safeParse(dialogInlineConfigSchema, parseJson(json))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new LatchkeyError('invalid_data', 'The configuration of this page can not be read', {
    details: { path: v.getDotPath(issue), message: issue.message },
  })
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** No address that a host, an operator, a provider or a wallet names may lead there. */
export const ownOriginsOf = ({ dialogOrigin, walletOrigin, apiOrigin }: DialogInlineConfig) => [
  dialogOrigin,
  walletOrigin,
  apiOrigin,
]
