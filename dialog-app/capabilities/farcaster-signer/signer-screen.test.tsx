import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { SignerFailure } from './failures.ts'
import { SignerScreen } from './signer-screen.tsx'

test('a signer that its user denied looks calm, and one that failed does not', () => {
  const sealOf = (text: SignerFailure['text']) => {
    const state = { appName: 'Fieldnotes', status: 'failed', text, isRetryable: true } as const
    const shown = renderToStaticMarkup(<SignerScreen state={state} send={() => {}} />)
    return /data-status="(\w+)"/.exec(shown)?.[1]
  }
  expect(sealOf('rejected')).toBe('stopped')
  expect(sealOf('timeout')).toBe('failed')
})
