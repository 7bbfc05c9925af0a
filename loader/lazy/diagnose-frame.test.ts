import { afterEach, describe, expect, it, vi } from 'vitest'
import { diagnoseFrame } from './diagnose-frame.ts'

const appId = 'lkdemo0000000000000000001'
const answer =
  (body: unknown, status = 200) =>
  async () =>
    Response.json(body, { status })

/** `blocks` is what the page's policy keeps back, told as a browser tells it: after the request has failed. */
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

describe('why a frame does not come', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is asked of the server, without credentials, with the app and the origin of the page', async () => {
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
  ])('%s is told in the console with the command that mends it', async (status, command) => {
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
    ['a page that is no JSON', async () => new Response('<p>hello'), 'server_unreachable'],
    ['no server', () => Promise.reject(new TypeError('Failed to fetch')), 'server_unreachable'],
    [
      'a server that is too slow',
      () => Promise.reject(new DOMException('', 'TimeoutError')),
      'server_unreachable',
    ],
  ])('%s is certain', async (_name, fetch, code) => {
    expect(await diagnose(fetch)).toMatchObject({ certain: true, code })
  })

  it('a server that knows app and origin may be slow: that is not certain', async () => {
    expect(await diagnose(answer({ status: 'ok' }))).toMatchObject({
      certain: false,
      code: 'frame_unresponsive',
    })
  })

  const page = 'https://app.example/notes'
  /** The server of the dialog knows app and origin; the page's own says this policy, or nothing. */
  const sent = (policy: string | undefined) =>
    vi.fn(async (address: unknown, options?: RequestInit) => {
      if (address !== page) return Response.json({ status: 'ok' })
      expect(options?.method).toBe('HEAD')
      if (policy === undefined) throw new TypeError('Failed to fetch')
      return new Response(null, { headers: { 'cross-origin-embedder-policy': policy } })
    })

  it.each(['require-corp', 'credentialless', 'require-corp; report-to="coep"'])(
    'a page that sends the embedder policy %s without being isolated is told what to send',
    async (policy) => {
      const told = await diagnose(sent(policy))
      expect(told).toMatchObject({ certain: true, code: 'host_blocks_frame' })
      expect(told.message).toMatch(/Cross-Origin-Embedder-Policy: (require-corp|credentialless),/)
      expect(told.message).toContain('Cross-Origin-Opener-Policy: same-origin')
    },
  )

  it.each(['unsafe-none', '', undefined])('an embedder policy %j is not blamed', async (policy) => {
    expect(await diagnose(sent(policy))).toMatchObject({ certain: false, code: 'frame_unresponsive' })
  })

  it('a page that is isolated is not asked for its embedder policy: the dialog sends one', async () => {
    vi.stubGlobal('crossOriginIsolated', true)
    const fetch = sent('require-corp')
    expect(await diagnose(fetch)).toMatchObject({ certain: false, code: 'frame_unresponsive' })
    expect(fetch).toHaveBeenCalledTimes(1)
  })

  const failed = () => Promise.reject(new TypeError('Failed to fetch'))

  it('a page whose policy forbids the question is told so, and the frame keeps its time', async () => {
    const told = await diagnose(failed, { directive: 'connect-src', disposition: 'enforce' })
    expect(told).toMatchObject({ certain: false, code: 'frame_unresponsive' })
    expect(told.message).toContain('connect-src')
    expect(told.message).toContain('https://dialog.example ')
  })

  it.each([
    { directive: 'connect-src', disposition: 'report' },
    { directive: 'img-src', disposition: 'enforce' },
  ])('a policy that did not keep the question back is not blamed: %j', async (violation) => {
    expect(await diagnose(failed, violation)).toMatchObject({ certain: true, code: 'server_unreachable' })
  })
})
