/** The published test vectors of Web Authentication Level 3, and responses with one defect each. */
import { fromWire } from '@latchkey/protocol'
import { type Assertion, type Attestation, passkeyRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Expected, verifyAssertion, verifyAttestation } from './ceremony.ts'
import { type Ceremony, flag, testPasskey } from './testing/authenticator.ts'
import { published, publishedVector, type VectorName } from './testing/published-vectors.ts'

describe('the published vectors', () => {
  /** SHA-256 of the hexadecimal vectors in https://www.w3.org/TR/webauthn-3/#sctn-test-vectors, one per line. */
  const digests: Readonly<Record<VectorName, string>> = {
    'none.ES256': '855158c19a828be72619ff5f499472746f0ee6f37029209b0387b290b49bb0f8',
    'packed-self.ES256': 'c6321cfc06d1f2e5919815dc33dc6eb7320f176be4ed0f1540eba9fc8727cadf',
    'none.ES256.crossOrigin': '098ed5b8775672757532bc6e0ed5ab8f1a0cc9b960db45f9cc2f6f29ca3483e6',
    'none.ES256.topOrigin': '96335cd36d2a276cb7662f465ac08f172a07969b667fa2f20c0e833c529e590e',
    'none.ES256.long-credential-id': '9c63e292d8dc786ce0c1c3c473a117237fcc9233eb6da9c1a7d5d271d9e43cfa',
  }
  const names = Object.keys(digests) as VectorName[]
  const expected = (challenge: string, changes: Partial<Expected> = {}): Expected => ({
    origin: published.origin,
    rpId: published.rpId,
    mayEmbed: (origin) => origin === 'https://example.com',
    challenge,
    userVerification: 'preferred',
    ...changes,
  })

  test.each(names)('%s is generated as published', (name) => {
    expect(publishedVector(name).digest).toBe(digests[name])
  })

  test.each(names)('%s registers a passkey and logs in with it', async (name) => {
    const { registration, authentication } = publishedVector(name)
    const made = await verifyAttestation(expected(registration.challenge), registration.answer)
    if (made.type === 'wrong') throw new Error(made.why ?? made.reason)
    expect(made).toMatchObject({ credentialId: registration.answer.id, counter: 0 })
    const known = { ...made, userHandle: authentication.answer.response.userHandle }
    expect(await verifyAssertion(expected(authentication.challenge), known, authentication.answer)).toEqual({
      type: 'right',
      counter: 0,
    })
    expect(
      await verifyAssertion(expected(registration.challenge), known, authentication.answer),
    ).toMatchObject({
      type: 'wrong',
      reason: 'answer',
    })
  })

  test.each(names)(
    '%s is accepted with required user verification only if the user was verified',
    async (name) => {
      const { registration, authentication } = publishedVector(name)
      const made = await verifyAttestation(expected(registration.challenge), registration.answer)
      if (made.type === 'wrong') throw new Error(made.why ?? made.reason)
      const strict = { userVerification: 'required' } as const
      const again = await verifyAttestation(expected(registration.challenge, strict), registration.answer)
      expect(again.type).toBe(registration.isUserVerified ? 'right' : 'wrong')
      const known = { ...made, userHandle: authentication.answer.response.userHandle }
      const answered = await verifyAssertion(
        expected(authentication.challenge, strict),
        known,
        authentication.answer,
      )
      expect(answered.type).toBe(authentication.isUserVerified ? 'right' : 'wrong')
    },
  )

  test('accepts an embedded vector only from an allowed page, in both ceremonies', async () => {
    const { registration, authentication } = publishedVector('none.ES256.topOrigin')
    const made = await verifyAttestation(expected(registration.challenge), registration.answer)
    if (made.type === 'wrong') throw new Error(made.why ?? made.reason)
    const nobody = { mayEmbed: () => false }
    const known = { ...made, userHandle: authentication.answer.response.userHandle }
    const misplaced = { type: 'wrong', reason: 'top_origin' }
    expect(await verifyAttestation(expected(registration.challenge, nobody), registration.answer)).toEqual(
      misplaced,
    )
    expect(
      await verifyAssertion(expected(authentication.challenge, nobody), known, authentication.answer),
    ).toEqual(misplaced)
  })
})

const challenge = 'Y2hhbGxlbmdl'
const userHandle = 'dXNlcg'
const origin = 'http://dialog.localhost:4000'
const host = 'http://demo.localhost:4010'
const expected: Expected = {
  origin,
  rpId: 'dialog.localhost',
  mayEmbed: (topOrigin) => topOrigin === host,
  challenge,
  userVerification: 'required',
}
const ceremony: Ceremony = { challenge, origin, crossOrigin: true, topOrigin: host, rpId: 'dialog.localhost' }
const { userPresent, userVerified, attested } = flag

/** Parses the body like an endpoint. */
const attestationIn = (answer: unknown): Attestation =>
  parsed(passkeyRoutes.linkPasskey.body.entries.authenticatorResponse, answer)
const assertionIn = (answer: unknown): Assertion =>
  parsed(passkeyRoutes.loginWithPasskey.body.entries.authenticatorResponse, answer)
const parsed = <Schema extends v.GenericSchema>(schema: Schema, answer: unknown) =>
  v.parse(schema, fromWire(schema, answer))

/** Ceremonies with one wrong place or authenticator property each. */
const wrongs: readonly [string, string, Partial<Ceremony>][] = [
  ['another challenge', 'answer', { challenge: 'YW5vdGhlcg' }],
  ['the other ceremony', 'answer', { type: 'the other one' }],
  ['a page of another origin', 'origin', { origin: 'https://evil.example' }],
  ['the host’s own page', 'origin', { origin: host }],
  ['a page around it that may not be there', 'top_origin', { topOrigin: 'https://evil.example' }],
  ['a page around it that is no origin', 'top_origin', { topOrigin: '' }],
  ['a page around it, in no frame', 'top_origin', { crossOrigin: false }],
  ['another relying party', 'answer', { rpId: 'localhost' }],
  ['a key that nobody touched', 'answer', { flags: userVerified | attested }],
  ['a key whose user was not verified', 'answer', { flags: userPresent | attested }],
]

describe('a registration', () => {
  test.each(['ES256', 'EdDSA', 'RS256'] as const)('accepts a registration with a %s key', async (kind) => {
    const passkey = testPasskey({ kind, aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', counts: true })
    expect(await verifyAttestation(expected, attestationIn(passkey.make(userHandle, ceremony)))).toEqual({
      type: 'right',
      credentialId: passkey.credentialId,
      publicKey: expect.stringMatching(/^[\w-]+$/),
      counter: 1,
      aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
    })
  })

  test('rejects a registration with an algorithm that was not requested', async () => {
    const answer = attestationIn(testPasskey({ kind: 'RS512' }).make(userHandle, ceremony))
    expect(await verifyAttestation(expected, answer)).toMatchObject({ type: 'wrong', reason: 'answer' })
  })

  test('accepts a registration outside a frame, and without topOrigin in a frame', async () => {
    const { topOrigin: _, ...unsaid } = ceremony
    for (const place of [{ ...unsaid, crossOrigin: false }, unsaid]) {
      const answer = attestationIn(testPasskey().make(userHandle, place))
      expect(await verifyAttestation(expected, answer)).toMatchObject({ type: 'right' })
    }
  })

  test.each(wrongs)('rejects a registration with %s (%s)', async (_name, reason, change) => {
    const wrongType = change.type === undefined ? {} : { type: 'webauthn.get' }
    const answer = attestationIn(testPasskey().make(userHandle, { ...ceremony, ...change, ...wrongType }))
    expect(await verifyAttestation(expected, answer)).toMatchObject({ type: 'wrong', reason })
  })

  test.each([
    ['no JSON', 'e30x'],
    ['nothing that a browser says', 'e30'],
  ])('rejects a registration whose client data is %s', async (_name, clientDataJson) => {
    const answer = attestationIn(testPasskey().make(userHandle, ceremony))
    const changed = { ...answer, response: { ...answer.response, clientDataJson } }
    expect(await verifyAttestation(expected, changed)).toEqual({ type: 'wrong', reason: 'client_data' })
  })

  test('rejects a registration with the id of another passkey', async () => {
    const answer = attestationIn(testPasskey().make(userHandle, ceremony))
    const { credentialId: id } = testPasskey()
    expect(await verifyAttestation(expected, { ...answer, id, rawId: id })).toMatchObject({
      type: 'wrong',
      reason: 'credential',
    })
  })

  describe('with a certificate', () => {
    afterEach(() => vi.restoreAllMocks())

    test.each(['packed', 'fido-u2f', 'android-key', 'tpm', 'apple', 'android-safetynet'])(
      'rejects a %s certificate without looking up its revocation',
      async (format) => {
        const fetched = vi.spyOn(globalThis, 'fetch')
        const statement = new Map([['x5c', [Buffer.from('a certificate')]]])
        const answer = attestationIn(testPasskey().make(userHandle, ceremony, format, statement))
        expect(await verifyAttestation(expected, answer)).toEqual({ type: 'wrong', reason: 'attestation' })
        expect(fetched).not.toHaveBeenCalled()
      },
    )
  })
})

describe('an assertion', () => {
  async function registered(made: Parameters<typeof testPasskey>[0] = {}) {
    const passkey = testPasskey(made)
    const known = await verifyAttestation(expected, attestationIn(passkey.make(userHandle, ceremony)))
    if (known.type === 'wrong') throw new Error(known.why ?? known.reason)
    return { passkey, known: { ...known, userHandle } }
  }

  test.each(['ES256', 'EdDSA', 'RS256'] as const)('accepts an assertion with a %s key', async (kind) => {
    const { passkey, known } = await registered({ kind })
    expect(await verifyAssertion(expected, known, assertionIn(passkey.answer(ceremony)))).toEqual({
      type: 'right',
      counter: 0,
    })
  })

  test.each(wrongs)('rejects an assertion with %s (%s)', async (_name, reason, change) => {
    const { passkey, known } = await registered()
    const wrongType = change.type === undefined ? {} : { type: 'webauthn.create' }
    const flags = change.flags === undefined ? {} : { flags: change.flags & ~attested }
    const answer = assertionIn(passkey.answer({ ...ceremony, ...change, ...wrongType, ...flags }))
    expect(await verifyAssertion(expected, known, answer)).toMatchObject({ type: 'wrong', reason })
    expect(await verifyAssertion(expected, known, assertionIn(passkey.answer(ceremony)))).toMatchObject({
      type: 'right',
    })
  })

  test('rejects an assertion whose counter does not increase', async () => {
    const { passkey, known } = await registered({ counts: true })
    const used = { ...known, counter: 7 }
    const answerAt = (counter: number) =>
      verifyAssertion(expected, used, assertionIn(passkey.answer({ ...ceremony, counter })))
    expect(await answerAt(6)).toMatchObject({ type: 'wrong', reason: 'answer' })
    expect(await answerAt(7)).toMatchObject({ type: 'wrong', reason: 'answer' })
    expect(await answerAt(0)).toMatchObject({ type: 'wrong', reason: 'answer' })
    expect(await answerAt(8)).toEqual({ type: 'right', counter: 8 })
  })

  test('rejects an assertion without or with a wrong user handle', async () => {
    const { passkey, known } = await registered()
    const refused = { type: 'wrong', reason: 'user_handle' }
    const unsaid = assertionIn(passkey.answer(ceremony))
    const { userHandle: _, ...response } = unsaid.response
    expect(await verifyAssertion(expected, known, { ...unsaid, response })).toEqual(refused)
    expect(await verifyAssertion(expected, known, assertionIn(passkey.answer(ceremony, 'b3RoZXI')))).toEqual(
      refused,
    )
  })

  test('accepts an assertion without a user handle if the passkey was listed, and rejects a wrong one', async () => {
    const { passkey, known } = await registered()
    const named = { ...known, isNamed: true }
    const unsaid = assertionIn(passkey.answer(ceremony))
    const { userHandle: _, ...response } = unsaid.response
    expect(await verifyAssertion(expected, named, { ...unsaid, response })).toMatchObject({ type: 'right' })
    expect(await verifyAssertion(expected, named, assertionIn(passkey.answer(ceremony, 'b3RoZXI')))).toEqual({
      type: 'wrong',
      reason: 'user_handle',
    })
  })

  test('rejects an assertion with malformed client data', async () => {
    const { passkey, known } = await registered()
    const answer = assertionIn(passkey.answer(ceremony))
    for (const clientDataJson of ['bnVsbA', '']) {
      const changed = { ...answer, response: { ...answer.response, clientDataJson } }
      expect(await verifyAssertion(expected, known, changed)).toEqual({
        type: 'wrong',
        reason: 'client_data',
      })
    }
    expect(await verifyAssertion(expected, known, answer)).toMatchObject({ type: 'right' })
  })

  test('rejects an assertion of another key with this passkey’s id', async () => {
    const { known } = await registered()
    const other = await registered()
    const { credentialId: id } = known
    const answer = { ...assertionIn(other.passkey.answer(ceremony)), id, rawId: id }
    expect(await verifyAssertion(expected, known, answer)).toEqual({ type: 'wrong', reason: 'answer' })
    expect(await verifyAssertion(expected, known, { ...answer, id: other.known.credentialId })).toEqual({
      type: 'wrong',
      reason: 'credential',
    })
  })
})
