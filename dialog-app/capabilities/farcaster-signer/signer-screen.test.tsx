import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { SignerFailure } from './failures.ts'
import { Failed } from './signer-screen.tsx'

test('a signer that the user denied is not shown as an error, and a failed one is', () => {
  const sealOf = (text: SignerFailure['text']) => {
    const failure = { text, isRetryable: true }
    const shown = renderToStaticMarkup(<Failed failure={failure} onRetry={() => {}} onLeave={() => {}} />)
    return /data-status="(\w+)"/.exec(shown)?.[1]
  }
  expect(sealOf('rejected')).toBe('stopped')
  expect(sealOf('timeout')).toBe('failed')
})
