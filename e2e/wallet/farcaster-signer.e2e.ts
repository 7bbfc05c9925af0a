/** A Farcaster signer, from the host page to a signature that Node verifies with the account's key. */
import { createPublicKey, verify } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall, call } from '../pages/page-calls.ts'
import { FarcasterPhones } from '../phones/farcaster.ts'
import { test as base, expect } from '../test.ts'

type Fixtures = { relay: FarcasterPhones }
const test = base.extend<Fixtures>({
  relay: async ({ stack }, use) => use(new FarcasterPhones(stack)),
})

test.use({ settings: ['farcaster_auth=true'] })

type Signer = { publicKey: string; fid: number }
type Ended = { user?: Signer; code?: string }
type Handle = { signFarcasterMessage: (hash: Uint8Array) => Promise<Uint8Array> }

const hash = new Uint8Array(20).map((_, index) => index * 7)
const codeIn = ({ dialog }: HostPage) =>
  dialog.getByRole('img', { name: 'Code that opens your Farcaster app' })
const heading = ({ dialog }: HostPage, name: string) => dialog.getByRole('heading', { name })

/** Logs in with the person's phone, until the dialog is closed. */
async function logIn(page: Page, host: HostPage, relay: FarcasterPhones, person: string) {
  await host.openOneLine()
  const login = call(page, 'login')
  await host.methodRow('Farcaster').click()
  await expect(codeIn(host)).toBeVisible()
  await relay.phone(person)
  await login
  await host.dialogCloses()
}

async function ask(page: Page, host: HostPage): Promise<() => Promise<Ended>> {
  const ended = await beginCall<Ended>(page, 'requestFarcasterSigner')
  await expect(heading(host, 'Allow Fieldnotes to post to Farcaster')).toBeVisible()
  await expect(codeIn(host)).toBeVisible()
  return ended
}

const sign = (page: Page): Promise<{ signature?: number[]; code?: string }> =>
  page.evaluate(
    (bytes) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      return (handle as Handle).signFarcasterMessage(new Uint8Array(bytes)).then(
        (signature) => ({ signature: [...signature] }),
        ({ code }) => ({ code }),
      )
    },
    [...hash],
  )

function isSignedBy(publicKey: string, signature: readonly number[] | undefined): boolean {
  const x = Buffer.from(publicKey.slice(2), 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, hash, key, Buffer.from(signature ?? []))
}

// spec L2.31, L3.1, L3.28, L7.22, W7.35, W7.36
test('a signer is approved on a phone, signs silently, and is reused the next time', async ({
  host,
  page,
  relay,
  somebody,
}) => {
  await logIn(page, host, relay, somebody)
  expect(await sign(page)).toEqual({ code: 'unable_to_sign' })
  const ended = await ask(page, host)
  await expectNoViolations(page, 'signer')
  await relay.signer(somebody, 'approve')
  await expect(heading(host, 'Connected to Farcaster')).toBeVisible()
  const { user: signer } = await ended()
  expect(signer).toEqual({ publicKey: expect.stringMatching(/^0x[0-9a-f]{64}$/), fid: expect.any(Number) })
  await host.dialogCloses()
  const { publicKey = '' } = signer ?? {}
  const { signature } = await sign(page)
  expect(isSignedBy(publicKey, signature)).toBe(true)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'latchkey').getUser())).toMatchObject({
    farcaster: { fid: signer?.fid, signerPublicKey: publicKey },
  })

  // After a new login it still exists, without another approval.
  await call(page, 'logout')
  await logIn(page, host, relay, somebody)
  const again = await beginCall<Ended>(page, 'requestFarcasterSigner')
  expect(await again()).toEqual({ user: signer })
  expect(isSignedBy(publicKey, (await sign(page)).signature)).toBe(true)
})

// spec L8.27
test('a signer that another user approves is rejected, and a removed one is requested with a new key', async ({
  host,
  page,
  relay,
  somebody,
}) => {
  await logIn(page, host, relay, somebody)
  const ended = await ask(page, host)
  // The API does not report a denial, so the dialog keeps waiting.
  await relay.signer(somebody, 'deny')
  const { looked } = await relay.signers()
  await expect.poll(async () => (await relay.signers()).looked).toBeGreaterThan(looked)
  await expect(codeIn(host)).toBeVisible()
  await relay.signer('Somebody else', 'approve')
  await expect(heading(host, 'Request rejected')).toBeVisible()
  await expect(
    host.dialog.getByText('The request was rejected. Please try again.', { exact: true }),
  ).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(codeIn(host)).toBeVisible()
  await relay.signer(somebody, 'approve')
  const first = (await ended()).user
  expect(first?.fid).toEqual(expect.any(Number))
  await host.dialogCloses()

  await relay.signer(somebody, 'remove')
  const again = await ask(page, host)
  await relay.signer(somebody, 'approve')
  expect((await again()).user?.publicKey).not.toBe(first?.publicKey)
})

// spec L8.26
test('a signer that cannot be requested shows an error, and the page gets the reason', async ({
  host,
  page,
  relay,
  somebody,
}) => {
  await logIn(page, host, relay, somebody)
  await relay.setFault('too-many-requests')
  const ended = await beginCall<Ended>(page, 'requestFarcasterSigner')
  await expect(heading(host, 'Connect failed')).toBeVisible()
  await relay.setFault('none')
  await host.escape()
  expect(await ended()).toEqual({ code: 'too_many_requests' })
})

test('closing the dialog refuses the signer', async ({ host, page, relay, somebody }) => {
  await logIn(page, host, relay, somebody)
  const ended = await ask(page, host)
  await host.escape()
  expect(await ended()).toEqual({ code: 'user_rejected_request' })
  await host.dialogCloses()
  expect(await sign(page)).toEqual({ code: 'unable_to_sign' })
})
