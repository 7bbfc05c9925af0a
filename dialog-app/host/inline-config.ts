/** Reads the configuration that the server embedded in the page. */
import { type DialogInlineConfig, dialogInlineConfigSchema, LatchkeyError, product } from '@latchkey/protocol'
import * as v from 'valibot'

export function readInlineConfig(document: Pick<Document, 'getElementById'>): DialogInlineConfig {
  const json = document.getElementById(product.inlineConfigElementId)?.textContent
  if (!json) throw new LatchkeyError('invalid_data', 'The page has no configuration')
  const parsed = v.safeParse(dialogInlineConfigSchema, parseJson(json))
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  throw new LatchkeyError('invalid_data', 'The configuration is invalid', {
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

/** The product's own origins. URLs from host pages, operators, providers and wallets must not point to them. */
export const getOwnOrigins = ({ dialogOrigin, walletOrigin, apiOrigin }: DialogInlineConfig) => [
  dialogOrigin,
  walletOrigin,
  apiOrigin,
]
