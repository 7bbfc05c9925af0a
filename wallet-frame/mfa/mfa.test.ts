/** Second factors as the dialog sees them: with a call, before a call, and for changes of methods. */

import { createHash } from 'node:crypto'
import { frameMessages, walletContract } from '@latchkey/protocol/wallet'
import { describe, expect, it } from 'vitest'
import { appId, openFrame, personalSign } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { rightCode, totp } from '../testing/server/mfa-server.ts'
import { walletServer } from '../testing/server/wallet-server.ts'

const code = (expected: string, more = {}) => expect.objectContaining({ code: expected, ...more })
const needed = code('missing_or_invalid_mfa')
const right = { mfaMethod: 'totp', mfaCode: rightCode } as const

async function setUp() {
  const server = await walletServer(appId)
  const frame = openFrame({ server, disk: emptyDisk() })
  const { address } = await frame.create()
  server.asked.length = 0
  const paths = () => server.asked.map(({ path }) => path)
  type Step = Awaited<ReturnType<typeof frame.begin>>
  const sign = (step: Step, factor = {}) =>
    frame.call('wallet:rpc', { ...step, address, request: personalSign('hello', address), ...factor })
  /** Begins the next step of the same operation. */
  const nextOf = async (step: Step, purpose: 'mfa' | 'sign' = 'mfa') => {
    const { publicKey } = JSON.parse(
      Buffer.from(step.accessToken.split('.')[1] ?? '', 'base64url').toString(),
    )
    const operation = { ...step.operation, step: step.operation.step + 1 }
    return { operation, accessToken: server.tokenFor({ sub: 'user_1', publicKey, operation, purpose }) }
  }
  return { server, frame, address, paths, sign, nextOf }
}
async function withTotp() {
  const scene = await setUp()
  scene.server.mfa.enrolled.add('totp')
  return scene
}

// spec W1.2
describe('a call that requires a second factor', () => {
  it("is refused without one, with the user's methods, and succeeds with one", async () => {
    const { frame, sign, paths } = await withTotp()
    const step = await frame.begin('sign')
    const first = await sign(step).catch((error: unknown) => error)
    expect(first).toMatchObject({ code: 'missing_or_invalid_mfa', details: { methods: ['totp'] } })
    expect(await sign(step, right)).toMatchObject({ response: { method: 'personal_sign' } })
    expect(paths()).toEqual(['/wallets/shares', '/mfa/totp/verify', '/wallets/shares'])
  })

  it('includes each signature and recovery of a Solana wallet', async () => {
    const server = await walletServer(appId)
    const frame = openFrame({ server, disk: emptyDisk() })
    const { publicKey } = await frame.call('solana-wallet:create', await frame.begin('create'))
    server.mfa.enrolled.add('totp')
    const request = { method: 'signMessage', params: { message: 'hello' } }
    const digest = `0x${createHash('sha256').update('hello').digest('hex')}`
    const sign = async (factor = {}) =>
      frame.call('solana-wallet:rpc', {
        ...(await frame.begin('sign', { digest })),
        publicKey,
        request,
        ...factor,
      })
    const recover = async (factor = {}) =>
      frame.call('solana-wallet:recover', { ...(await frame.begin('recover')), publicKey, ...factor })
    await expect(sign()).rejects.toEqual(needed)
    await expect(recover()).rejects.toEqual(needed)
    expect(await sign(right)).toMatchObject({ publicKey })
    expect(await recover(right)).toEqual({ publicKey })
    expect(walletContract.child['solana-wallet:recover'].verification).toBe('first')
    expect(walletContract.child['solana-wallet:rpc'].verification).toBe('retry')
  })

  it('is refused with a wrong one, without releasing a share', async () => {
    const { frame, sign, paths } = await withTotp()
    const step = await frame.begin('sign')
    const refused = await sign(step, { ...right, mfaCode: '000000' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'missing_or_invalid_mfa' })
    expect(refused).not.toHaveProperty('details.methods')
    expect(paths()).toEqual(['/mfa/totp/verify'])
    expect(await sign(step, right)).toBeTruthy()
  })

  it('reports with a rate limit whether the answer was right', async () => {
    const { frame, server, sign } = await withTotp()
    const tooMany = (at: string) =>
      server.intercept((path) =>
        path === at
          ? Response.json({ error: 'Refused', code: 'too_many_requests' }, { status: 429 })
          : undefined,
      )
    const refused = async () => sign(await frame.begin('sign'), right).catch((error: unknown) => error)
    tooMany('/wallets/shares')
    expect(await refused()).toMatchObject({ code: 'too_many_requests', details: { verified: true } })
    tooMany('/mfa/totp/verify')
    const ofAnswer = await refused()
    expect(ofAnswer).toMatchObject({ code: 'too_many_requests' })
    expect(ofAnswer).not.toHaveProperty('details.verified')
  })

  it('of an ended operation consumes no code', async () => {
    const { frame, sign, paths } = await withTotp()
    const step = await frame.begin('sign')
    await frame.call('operation:end', { operationId: step.operation.id })
    await expect(sign(step, right)).rejects.toEqual(code('vault_operation_unknown'))
    expect(paths()).toEqual([])
  })

  it('recovers a wallet with it', async () => {
    const { frame, address, paths } = await withTotp()
    const step = await frame.begin('recover')
    await expect(frame.call('wallet:recover', { ...step, address })).rejects.toEqual(needed)
    expect(await frame.call('wallet:recover', { ...step, address, ...right })).toEqual({ address })
    expect(paths()).toEqual(['/wallets/shares', '/mfa/totp/verify', '/wallets/shares'])
  })

  it('accepts the assertion of a passkey', async () => {
    const { server, frame, sign } = await setUp()
    server.mfa.enrolled.add('passkey')
    const answer = {
      id: 'aWQ',
      rawId: 'aWQ',
      response: { clientDataJson: 'e30', authenticatorData: 'AA', signature: 'AA' },
      clientExtensionResults: {},
      type: 'public-key',
    }
    const given = { mfaMethod: 'passkey', mfaCode: answer, relyingParty: 'dialog.example' }
    expect(await sign(await frame.begin('sign'), given)).toBeTruthy()
    expect(server.asked.find(({ path }) => path === '/mfa/passkey/verify')?.body).toEqual({
      authenticatorResponse: answer,
      relyingParty: 'dialog.example',
    })
  })

  // spec L4.45, L5.14
  it.each([
    ['totp', { id: 'aWQ' }],
    ['sms', {}],
    ['totp', '12345'],
    ['totp', '1234567'],
    ['sms', '12345'],
    ['sms', '1234567'],
    ['sms', '12345x'],
    ['totp', undefined],
    ['passkey', rightCode],
    ['passkey', { id: 'aWQ' }],
  ] as const)('rejects for %s the answer %j without a server call', async (mfaMethod, mfaCode) => {
    const { frame, sign, paths } = await withTotp()
    const given = { mfaMethod, ...(mfaCode !== undefined && { mfaCode }) }
    await expect(sign(await frame.begin('sign'), given)).rejects.toEqual(code('invalid_request_arguments'))
    expect(paths()).toEqual([])
    expect(await sign(await frame.begin('sign'), right)).toBeTruthy()
  })

  // spec W8.34
  it('reports too many wrong answers, with the time of the next try', async () => {
    const { server, frame, sign } = await withTotp()
    server.intercept((path) =>
      path === '/mfa/totp/verify'
        ? Response.json(
            { error: 'Too many', code: 'mfa_verification_max_attempts_reached' },
            { status: 429, headers: { 'retry-after': '60' } },
          )
        : undefined,
    )
    await expect(sign(await frame.begin('sign'), right)).rejects.toEqual(
      code('mfa_verification_max_attempts_reached', { retryAfterSeconds: 60 }),
    )
  })
})

// spec W7.30
describe('a verification before a call', () => {
  it('is consumed by the next call of its operation', async () => {
    const { frame, sign, nextOf } = await withTotp()
    const step = await frame.begin('sign')
    expect(await frame.call('mfa:verify', { ...step, ...right })).toEqual({})
    expect(await sign(await nextOf(step, 'sign'))).toBeTruthy()
    await expect(sign(await frame.begin('sign'))).rejects.toEqual(needed)
  })

  it('is not used by calls of other operations', async () => {
    const { frame, sign, nextOf } = await withTotp()
    const [mine, other] = [await frame.begin('sign'), await frame.begin('sign')]
    await frame.call('mfa:verify', { ...mine, ...right })
    await expect(sign(other)).rejects.toEqual(needed)
    expect(await sign(await nextOf(mine, 'sign'))).toBeTruthy()
  })

  // spec W7.34
  it.each(['operation:end', 'mfa:clear'] as const)('is forgotten by %s', async (name) => {
    const { frame, nextOf } = await withTotp()
    const step = await frame.begin('mfa')
    await frame.call('mfa:verify', { ...step, ...right })
    if (name === 'mfa:clear') await frame.call(name, { userId: 'user_1' })
    else await frame.call(name, { operationId: step.operation.id })
    const removing = { ...(await nextOf(step)), method: 'totp' } as const
    await expect(frame.call('mfa:unenroll', removing)).rejects.toEqual(needed)
    expect(await frame.call('mfa:unenroll', { ...removing, ...right })).toMatchObject({
      user: { mfaMethods: [] },
    })
  })

  it('that has expired is requested again', async () => {
    const { server, frame, nextOf } = await withTotp()
    const step = await frame.begin('mfa')
    await frame.call('mfa:verify', { ...step, ...right })
    server.mfa.expire()
    const removing = { ...(await nextOf(step)), method: 'totp' } as const
    await expect(frame.call('mfa:unenroll', removing)).rejects.toEqual(needed)
    expect(await frame.call('mfa:unenroll', { ...removing, ...right })).toBeTruthy()
  })

  it('requires a method', async () => {
    const { frame, paths } = await withTotp()
    await expect(frame.call('mfa:verify', await frame.begin('mfa'))).rejects.toEqual(needed)
    expect(paths()).toEqual([])
  })
})

describe('a change of methods', () => {
  // spec W7.31, W7.32, L7.42, L3.27
  it('enrols an authenticator app: the secret goes to the dialog, the code to the server', async () => {
    const { frame, server, nextOf } = await setUp()
    const step = await frame.begin('mfa')
    expect(await frame.call('mfa:init-enrollment', { ...step, method: 'totp' })).toEqual({
      method: 'totp',
      secret: totp.totpSecret,
      authUrl: totp.totpAuthUrl,
    })
    const done = { ...(await nextOf(step)), method: 'totp', code: rightCode } as const
    expect(await frame.call('mfa:submit-enrollment', done)).toMatchObject({
      user: { mfaMethods: [{ type: 'totp' }] },
    })
    expect(server.asked.map(({ path, body }) => [path, body])).toEqual([
      ['/mfa/totp/init', {}],
      ['/mfa/totp/enroll', { code: rightCode }],
    ])
  })

  // spec W7.31, W7.32, L7.41, L7.49
  it('enrols a phone number', async () => {
    const { frame, server, nextOf } = await setUp()
    const step = await frame.begin('mfa')
    const number = { method: 'sms', phoneNumber: '+1 2025550123' } as const
    expect(await frame.call('mfa:init-enrollment', { ...step, ...number })).toEqual({ method: 'sms' })
    const done = { ...(await nextOf(step)), ...number, code: rightCode }
    expect(await frame.call('mfa:submit-enrollment', done)).toMatchObject({
      user: { mfaMethods: [{ type: 'sms' }] },
    })
    expect(server.asked.map(({ path, body }) => [path, body])).toEqual([
      ['/mfa/passwordless_sms/init', { action: 'enroll', phoneNumber: '+1 2025550123' }],
      ['/mfa/passwordless_sms/enroll', { code: rightCode, phoneNumber: '+1 2025550123' }],
    ])
  })

  // spec W7.32, L7.43
  it('enrols passkeys, and removes the method without any', async () => {
    const { frame, server } = await setUp()
    const submit = async (credentialIds: string[], factor = {}) =>
      frame.call('mfa:submit-enrollment', {
        ...(await frame.begin('mfa')),
        method: 'passkey',
        credentialIds,
        ...factor,
      })
    expect(await submit(['aWQ'])).toMatchObject({ user: { mfaMethods: [{ type: 'passkey' }] } })
    server.mfa.enrolled.add('totp')
    expect(await submit([], right)).toMatchObject({ user: { mfaMethods: [{ type: 'totp' }] } })
    const enrolments = server.asked.filter(({ path }) => path === '/mfa/passkey/enrollment')
    expect(enrolments).toMatchObject([{ body: { credentialIds: ['aWQ'] } }, { body: { credentialIds: [] } }])
  })

  // spec W7.33, L7.44
  it.each([
    ['totp', '/mfa/totp/unenroll'],
    ['sms', '/mfa/passwordless_sms/unenroll'],
  ] as const)('removes %s', async (method, path) => {
    const { frame, server, paths } = await setUp()
    server.mfa.enrolled.add(method)
    const given = { ...(await frame.begin('mfa')), method, mfaMethod: method, mfaCode: rightCode }
    expect(await frame.call('mfa:unenroll', given)).toMatchObject({ user: { mfaMethods: [] } })
    expect(paths().at(-1)).toBe(path)
  })

  it('keeps the verification after a wrong enrolment code', async () => {
    const { frame, nextOf } = await withTotp()
    const number = { method: 'sms', phoneNumber: '+1 2025550123' } as const
    const step = await frame.begin('mfa')
    const submit = { ...step, ...number, ...right }
    await expect(frame.call('mfa:submit-enrollment', { ...submit, code: '000000' })).rejects.toEqual(
      code('invalid_credentials'),
    )
    const again = { ...(await nextOf(step)), ...number, code: rightCode }
    expect(await frame.call('mfa:submit-enrollment', again)).toMatchObject({
      user: { mfaMethods: [{ type: 'totp' }, { type: 'sms' }] },
    })
  })
})

it('accepts a verification in every call that the contract lists, and in no other', () => {
  const takes = (name: keyof typeof walletContract.child) => {
    const schema = frameMessages.calls[name]
    const variants: readonly object[] = 'options' in schema ? schema.options : [schema]
    return variants.every((variant) =>
      JSON.stringify(Object.keys(Reflect.get(variant, 'entries'))).includes('mfaCode'),
    )
  }
  for (const [name, rule] of Object.entries(walletContract.child)) {
    expect(takes(name as keyof typeof walletContract.child), name).toBe(rule.verification !== 'never')
  }
})
