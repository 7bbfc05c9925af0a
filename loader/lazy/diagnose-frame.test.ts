import { afterEach, describe, expect, it, vi } from 'vitest'
import { diagnoseFrame } from './diagnose-frame.ts'

const appId = 'lkdemo0000000000000000001'
const answer =
  (body: unknown, status = 200) =>
  async () =>
    Response.json(body, { status })

/** `blocks` is a policy violation, reported like in browsers after the request has failed. */
const diagnose = async (
  fetch: typeof globalThis.fetch,
  blocks?: { directive: string; disposition: string },
) => {
  const page = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { origin: 'https://app.example', href: 'https://app.example/notes' })
  vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
    if (blocks) {
      const { directive: effectiveDirective, disposition } = blocks
      const violation = { blockedURI: 'https://dialog.example', effectiveDirective, disposition }
      setImmediate(() => page.dispatchEvent(Object.assign(new Event('securitypolicyviolation'), violation)))
    }
    return fetch(...args)
  })
  return diagnoseFrame('https://dialog.example/x', appId)
}

describe('diagnoseFrame', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('requests the status without credentials, with the app and the origin of the page', async () => {
    const fetch = vi.fn(answer({ status: 'ok' }))
    await diagnose(fetch)
    expect(fetch).toHaveBeenCalledWith(
      `https://dialog.example/x/api/v1/apps/${appId}/status?origin=https%3A%2F%2Fapp.example`,
      expect.objectContaining({ credentials: 'omit', cache: 'no-store', signal: expect.any(AbortSignal) }),
    )
  })

  it.each([
    ['origin_not_allowed', `npm run app -- origins ${appId} add https://app.example`],
    ['unknown_app', 'npm run app -- create --name "My app" --origin https://app.example'],
  ])('warns about %s with the command that fixes it', async (status, command) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    await diagnose(answer({ status }))
    await diagnose(answer({ status }))
    expect(warn.mock.calls).toEqual([[expect.stringContaining(`: ${command}`)]])
    warn.mockRestore()
  })

  it.each([
    ['an unknown app', answer({ status: 'unknown_app' }), 'missing_or_invalid_latchkey_app_id'],
    ['an unlisted origin', answer({ status: 'origin_not_allowed' }), 'origin_not_allowed'],
    ['a failing server', answer({ status: 'ok' }, 503), 'server_unreachable'],
    ['another server', answer(['hello']), 'server_unreachable'],
    ['a response that is not JSON', async () => new Response('<p>hello'), 'server_unreachable'],
    ['no server', () => Promise.reject(new TypeError('Failed to fetch')), 'server_unreachable'],
    [
      'a server that is too slow',
      () => Promise.reject(new DOMException('', 'TimeoutError')),
      'server_unreachable',
    ],
  ])('is certain about %s', async (_name, fetch, code) => {
    expect(await diagnose(fetch)).toMatchObject({ certain: true, code })
  })

  it('is uncertain if the server knows app and origin, because the dialog may be slow', async () => {
    expect(await diagnose(answer({ status: 'ok' }))).toMatchObject({
      certain: false,
      code: 'frame_unresponsive',
    })
  })

  const page = 'https://app.example/notes'
  /** The dialog's server knows app and origin. The page's own server sends this policy, or none. */
  const sent = (policy: string | undefined) =>
    vi.fn(async (address: unknown, options?: RequestInit) => {
      if (address !== page) return Response.json({ status: 'ok' })
      expect(options?.method).toBe('HEAD')
      if (policy === undefined) throw new TypeError('Failed to fetch')
      return new Response(null, { headers: { 'cross-origin-embedder-policy': policy } })
    })

  it.each(['require-corp', 'credentialless', 'require-corp; report-to="coep"'])(
    'explains the missing opener policy for the embedder policy %s of a page that is not isolated',
    async (policy) => {
      const finding = await diagnose(sent(policy))
      expect(finding).toMatchObject({ certain: true, code: 'host_blocks_frame' })
      expect(finding.message).toMatch(/Cross-Origin-Embedder-Policy: (require-corp|credentialless),/)
      expect(finding.message).toContain('Cross-Origin-Opener-Policy: same-origin')
    },
  )

  it.each(['unsafe-none', '', undefined])('does not blame the embedder policy %j', async (policy) => {
    expect(await diagnose(sent(policy))).toMatchObject({ certain: false, code: 'frame_unresponsive' })
  })

  it('does not read the embedder policy of an isolated page, because the dialog sends one', async () => {
    vi.stubGlobal('crossOriginIsolated', true)
    const fetch = sent('require-corp')
    expect(await diagnose(fetch)).toMatchObject({ certain: false, code: 'frame_unresponsive' })
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  const failed = () => Promise.reject(new TypeError('Failed to fetch'))

  it('reports a page policy that blocks the status request, as uncertain', async () => {
    const finding = await diagnose(failed, { directive: 'connect-src', disposition: 'enforce' })
    expect(finding).toMatchObject({ certain: false, code: 'frame_unresponsive' })
    expect(finding.message).toContain('connect-src')
    expect(finding.message).toContain('https://dialog.example ')
  })

  it.each([
    { directive: 'connect-src', disposition: 'report' },
    { directive: 'img-src', disposition: 'enforce' },
  ])('does not blame a policy that did not block the status request: %j', async (violation) => {
    expect(await diagnose(failed, violation)).toMatchObject({ certain: true, code: 'server_unreachable' })
  })
})
