/**
 * A script in the dialog's page that starts after the login, when the vault has already stated its device. It
 * comes from a bad package or an injection. It has the dialog's tokens, key handle and messages. Its
 * accomplice outside the browser can send any header.
 */
import { randomUUID } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createBrowserKey, signDecision, signStatement } from '../client/browser-key.ts'
import { openConnections } from '../client/http.ts'
import { call, createBrowser } from '../client/user.ts'
import {
  accompliceAt,
  callFrame,
  createVaultKey,
  getDialog,
  injectScript,
  newHandle,
  readDialogKey,
  readToken,
  readUserId,
  sealKeyText,
  sender,
} from '../pages/dialog-script.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { setPasswordRecovery } from '../pages/recovery-window.ts'
import { recipient, transfer } from '../pages/solana.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test('a script in the dialog gets no token for its own key, and no share for a copied token', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const asked: { statement: string; body: string; token: string }[] = []
  page.on('response', async (response) => {
    if (new URL(response.url()).pathname !== '/api/v1/wallets/token' || !response.ok()) return
    const request = response.request()
    asked.push({
      statement: (await request.headerValue('latchkey-device')) ?? '',
      body: request.postData() ?? '',
      token: ((await response.json()) as { token: string }).token,
    })
  })
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  await host.sign('What its user approved')
  await host.dialogCloses()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  const copied = asked.at(-1) ?? { statement: '', body: '', token: '' }

  const dialog = getDialog(page, stack)
  const connections = openConnections(stack.serverPort, 1)
  const token = await readToken(dialog)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
  const { origin: walletOrigin } = new URL(stack.walletOrigin)

  const send = sender(dialog, connections)
  const operation = { id: randomUUID(), step: 1 }
  const publicKey = await createVaultKey()
  const step = { public_key: publicKey, operation, purpose: 'recover', address, confirmation: null }
  const notBound = { status: 403, body: { code: 'device_not_bound' } }

  expect(await send(dialogOrigin, '/wallets/token', step, token)).toMatchObject(notBound)
  const dialogKey = await readDialogKey(dialog)
  const own = signStatement(createBrowserKey(), {
    aud: appId,
    vpk: publicKey,
    purpose: 'recover',
    op: operation,
    address,
    digest: null,
    jkt: dialogKey,
  })
  expect(await send(dialogOrigin, '/wallets/token', step, token, own)).toMatchObject(notBound)
  // The vault's own statement, for another step and another key.
  expect(await send(dialogOrigin, '/wallets/token', step, token, copied.statement)).toMatchObject({
    status: 422,
    body: { code: 'invalid_data', details: { reason: 'of_another_step' } },
  })

  // A token captured in transit, used by the accomplice, which can send any origin.
  expect(await send(walletOrigin, '/wallets/shares', {}, copied.token)).toMatchObject({
    status: 401,
    body: { code: 'missing_or_invalid_token', details: { reason: 'proof_of_another_key' } },
  })
  expect(await send(dialogOrigin, '/wallets/shares', {}, copied.token)).toMatchObject({ status: 404 })

  // The attack does not disturb the user.
  await host.sign('Signed afterwards')
  await host.dialogCloses()
  connections.close()
})

test('a script in the dialog cannot approve actions of the confirmation page', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const statements: string[] = []
  page.on('request', async (request) => {
    const statement = await request.headerValue('latchkey-device').catch(() => null)
    if (statement) statements.push(statement)
  })
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  const dialog = getDialog(page, stack)
  const connections = openConnections(stack.serverPort, 1)
  const send = sender(dialog, connections)
  const token = await readToken(dialog)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
  const { origin: walletOrigin } = new URL(stack.walletOrigin)

  for (const request of [
    { method: 'export', params: [address] },
    { method: 'set-recovery', params: [address, 'user-passcode'] },
  ]) {
    const handle = newHandle()
    const put = await send(
      dialogOrigin,
      '/confirmations',
      { handle, address, request, origin: null, place: 'frame' },
      token,
    )
    expect(put).toMatchObject({ status: 200, body: { place: 'page' } })
    const { digest } = put.body as { digest: string }
    const approval = { aud: appId, decision: 'approve', handle, digest } as const
    const decide = (statement?: string) =>
      send(walletOrigin, '/confirmations/decision', { handle, digest, decision: 'approve', statement }, token)

    expect(await decide()).toMatchObject({ status: 422, body: { details: { reason: 'missing' } } })
    expect(await decide(statements.at(-1))).toMatchObject({
      status: 422,
      body: { details: { reason: 'malformed' } },
    })
    expect(await decide(signDecision(createBrowserKey(), approval))).toMatchObject({
      status: 403,
      body: { code: 'device_not_bound' },
    })
    // The wallet frame does not respond to it either, only to a page of the wallet origin.
    const heard = await dialog.evaluate(
      async ([name, origin]) => {
        const answers: unknown[] = []
        window.addEventListener('message', ({ data }) => answers.push(data))
        for (let at = 0; at < window.length; at += 1) {
          window[at]?.postMessage({ type: 'latchkey:page:hello', handle: name }, origin)
        }
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        return answers.filter((data) => JSON.stringify(data).includes(name))
      },
      [handle, walletOrigin] as const,
    )
    expect(heard).toEqual([])
    expect(await send(dialogOrigin, '/confirmations/status', { handle }, token)).toMatchObject({
      body: { state: 'open' },
    })
  }
  connections.close()
})

test('a token opens no message of another purpose, and a pending confirmation opens none', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  await injectScript(context, stack)
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  await host.sign('Opens the channel')
  await host.dialogCloses()
  const dialog = getDialog(page, stack)
  const connections = openConnections(stack.serverPort, 1)
  const send = sender(dialog, connections)
  const token = await readToken(dialog)
  const userId = await readUserId(dialog)
  const dialogKey = await readDialogKey(dialog)
  const { origin: dialogOrigin } = new URL(stack.dialogOrigin)

  type Step = { purpose: string; address: string | null; confirmation?: string; digest?: string }
  async function askToken({ confirmation, digest, ...step }: Step) {
    const { data: { operationId, publicKey } = {} } = await callFrame(dialog, 'operation:begin', {})
    const operation = { id: String(operationId), step: 1 }
    const stated = { ...step, operation, dialogKey, userId, digest: digest ?? null }
    const { data: { statement } = {} } = await callFrame(dialog, 'operation:state', stated)
    const body = { ...step, operation, public_key: publicKey, confirmation: confirmation ?? null }
    const { status, body: answer } = await send(
      dialogOrigin,
      '/wallets/token',
      body,
      token,
      String(statement),
    )
    return { status, answer, operation, accessToken: String(Object(answer).token) }
  }

  // A token that a script gets without the user.
  const held = { address, fid: 1n, payload: { hash: 'A'.repeat(27) } }
  const request = { method: 'personal_sign', params: ['0x68656c6c6f', address] }
  const ofKind: Readonly<Record<string, object>> = {
    'wallet:recover': { address, recoveryMethod: 'latchkey' },
    'wallet:rpc': { address, request },
    'account:delete': {},
    'mfa:init-enrollment': { method: 'totp' },
    'mfa:submit-enrollment': { method: 'totp', code: '000000' },
    'mfa:unenroll': { method: 'totp' },
    'farcaster:init-signer': { address },
    'farcaster:sign': held,
  }
  for (const [name, data] of Object.entries(ofKind)) {
    const { status, accessToken, operation } = await askToken({ purpose: 'connect', address })
    expect(status).toBe(200)
    const answer = await callFrame(dialog, name, { ...data, accessToken, operation })
    expect(JSON.stringify(answer), name).toContain('insufficient_scope')
  }

  // A request that the user did not approve gets no token either.
  for (const [purpose, of, action] of [
    ['export', address, { method: 'export', params: [address] }],
    ['set-recovery', address, { method: 'set-recovery', params: [address, 'user-passcode'] }],
    ['delete-account', null, { method: 'delete-account', params: [] }],
    ['mfa', null, { method: 'remove-method', params: ['totp'] }],
  ] as const) {
    const confirmation = newHandle()
    const put = { handle: confirmation, address: of, request: action, origin: null, place: 'frame' }
    const { body } = await send(dialogOrigin, '/confirmations', put, token)
    const { digest } = body as { digest: string }
    expect(await askToken({ purpose, address: of, confirmation, digest }), purpose).toMatchObject({
      answer: { code: 'approval_required_elsewhere' },
    })
  }
  await host.sign('Its user goes on')
  connections.close()
})

test.describe('a user with a Solana wallet', () => {
  test.use({
    settings: [
      'embedded_wallet_config.create_on_login=off',
      'solana_rpc_urls.devnet=["http://127.0.0.1:4036"]',
    ],
  })

  test('a transaction is signed only by the wallet, and only with the approved bytes', async ({
    context,
    host,
    inbox,
    page,
    stack,
  }) => {
    await injectScript(context, stack)
    await host.openOneLine()
    await logInByEmail({ page, host, inbox })
    type Created = { user?: { address: string } }
    const { user } = await (await beginCall<Created>(page, 'createSolanaWallet'))()
    const address = user?.address ?? ''
    const dialog = getDialog(page, stack)
    const connections = openConnections(stack.serverPort, 1)
    const send = sender(dialog, connections)
    const token = await readToken(dialog)
    const userId = await readUserId(dialog)
    const dialogKey = await readDialogKey(dialog)
    const { origin: dialogOrigin } = new URL(stack.dialogOrigin)

    const toRequest = (transaction: Uint8Array, publicKey = address) => ({
      method: 'solana_signTransaction',
      params: [`0x${Buffer.from(transaction).toString('hex')}`, publicKey],
    })
    const put = (request: object, of = address) =>
      send(
        dialogOrigin,
        '/confirmations',
        { handle: newHandle(), address: of, request, origin: null, place: 'frame' },
        token,
      )
    /** Gets the token of a request that the card may approve, and has the frame sign another one with it. */
    async function signWith(approved: object, request: object, publicKey = address) {
      const handle = newHandle()
      const asked = { handle, address, request: approved, origin: null, place: 'frame' }
      const { body } = await send(dialogOrigin, '/confirmations', asked, token)
      const { data: { operationId, publicKey: vaultKey } = {} } = await callFrame(
        dialog,
        'operation:begin',
        {},
      )
      const operation = { id: String(operationId), step: 1 }
      const step = { purpose: 'sign', address, operation }
      const stated = { ...step, dialogKey, userId, digest: Object(body).digest }
      const { data: { statement } = {} } = await callFrame(dialog, 'operation:state', stated)
      const wanted = { ...step, public_key: vaultKey, confirmation: handle }
      const { body: answer } = await send(dialogOrigin, '/wallets/token', wanted, token, String(statement))
      const accessToken = String(Object(answer).token)
      return {
        answer,
        signed: await callFrame(dialog, 'solana-wallet:rpc', { accessToken, operation, publicKey, request }),
      }
    }
    const toFrame = (transaction: Uint8Array) => ({
      method: 'solana_signTransaction',
      params: { transaction: `0x${Buffer.from(transaction).toString('hex')}` },
    })

    const [small, large] = [transfer(address, 1n), transfer(address, 900_000_000_000n)]
    const refused = { error: { details: { code: 'envelope_refused' } } }
    // It shows one transaction, and requests another one.
    expect((await signWith(toRequest(small), toFrame(large))).signed).toMatchObject(refused)
    // The bytes change between approval and signature: another blockhash, or the signature of another signer.
    for (const at of [small.length - 30, 5]) {
      const changed = Uint8Array.from(small)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect((await signWith(toRequest(small), toFrame(changed))).signed).toMatchObject(refused)
    }
    // An approved message is no approval of a transaction.
    const asMessage = { method: 'signMessage', params: ['Hello', address] }
    expect((await signWith(asMessage, toFrame(small))).signed).toMatchObject(refused)
    // Only the page approves what is worth more, and the script has no approval of it.
    expect((await signWith(toRequest(large), toFrame(large))).answer).toMatchObject({
      code: 'approval_required_elsewhere',
    })
    // The wallet of another user.
    const theirs = transfer(recipient, 1n)
    expect(await put(toRequest(theirs, recipient), recipient)).toMatchObject({
      body: { code: 'embedded_wallet_not_found' },
    })
    expect(await put(toRequest(theirs, recipient))).toMatchObject({ body: { code: 'invalid_data' } })
    expect((await signWith(toRequest(small), toFrame(theirs), recipient)).signed).toHaveProperty('error')
    connections.close()
  })
})

test.describe('a user without a wallet', () => {
  const wallets = 'embedded_wallet_config'
  test.use({ settings: [`${wallets}.create_on_login=off`] })

  for (const hostKeyImport of [false, true]) {
    test(`cannot get a wallet with a key that a script knows, with host_key_import=${hostKeyImport}`, async ({
      host,
      inbox,
      page,
      stack,
    }) => {
      await stack.app('set', appId, `${wallets}.host_key_import=${hostKeyImport}`)
      await injectScript(page.context(), stack)
      await host.openOneLine()
      await logInByEmail({ page, host, inbox })
      // An import, which the user cancels, makes the dialog open the channel to its wallet frame.
      await beginCall(page, 'importWallet')
      await host.dialog.getByRole('button', { name: 'Cancel' }).click()
      await host.dialogCloses()
      const dialog = getDialog(page, stack)
      const connections = openConnections(stack.serverPort, 1)
      const send = sender(dialog, connections)
      const token = await readToken(dialog)
      const { origin: dialogOrigin } = new URL(stack.dialogOrigin)
      const { origin: walletOrigin } = new URL(stack.walletOrigin)
      const key = generatePrivateKey()
      const { address } = privateKeyToAccount(key)

      await dialog.evaluate((src) => {
        document.body.append(Object.assign(document.createElement('iframe'), { src, title: 'Of the script' }))
      }, `${walletOrigin}/apps/${appId}/embedded-wallets/import`)
      const { data: { publicKey } = {} } = await callFrame(dialog, 'page:begin', { page: 'import' })
      const privateKey = await sealKeyText(String(publicKey), key)
      const taken = callFrame(dialog, 'page:key', { privateKey })
      if (hostKeyImport) {
        // The page has the key, but the user has not pressed there.
        await expect(
          host.dialog.frameLocator('iframe[title="Of the script"]').getByText(address),
        ).toBeAttached()
        taken.catch(() => {})
      } else expect(await taken).toMatchObject({ error: { type: 'not_supported' } })

      const request = { method: 'import', params: [address] }
      const handle = newHandle()
      const put = await send(
        dialogOrigin,
        '/confirmations',
        { handle, address: null, request, origin: null, place: 'frame' },
        token,
      )
      expect(put).toMatchObject({ status: 200, body: { place: 'page' } })
      const digest = String(Object(put.body).digest)
      const userId = await readUserId(dialog)
      expect(await callFrame(dialog, 'page:confirm', { userId, handle, digest })).toMatchObject({
        error: { type: 'invalid_data' },
      })
      const decide = (statement?: string) =>
        send(
          walletOrigin,
          '/confirmations/decision',
          { handle, digest, decision: 'approve', statement },
          token,
        )
      expect(await decide()).toMatchObject({ status: 422 })
      const forged = signDecision(createBrowserKey(), { aud: appId, decision: 'approve', handle, digest })
      expect(await decide(forged)).toMatchObject({ status: 403, body: { code: 'device_not_bound' } })
      const { data: { operationId, publicKey: vaultKey } = {} } = await callFrame(
        dialog,
        'operation:begin',
        {},
      )
      const operation = { id: String(operationId), step: 1 }
      const stated = {
        purpose: 'import',
        operation,
        address: null,
        dialogKey: await readDialogKey(dialog),
        userId,
      }
      for (const [confirmation, statedDigest, refusal] of [
        [null, null, 'invalid_data'],
        [handle, digest, 'approval_required_elsewhere'],
      ] as const) {
        const { data: { statement } = {} } = await callFrame(dialog, 'operation:state', {
          ...stated,
          digest: statedDigest,
        })
        const step = { public_key: vaultKey, operation, purpose: 'import', address: null, confirmation }
        expect(await send(dialogOrigin, '/wallets/token', step, token, String(statement))).toMatchObject({
          body: { code: refusal },
        })
      }
      // A token for another wallet, which the script can get, imports nothing either.
      async function askToCreate(of: typeof operation, publicKeyOfVault: unknown) {
        const own = { purpose: 'create', operation: of, address: null }
        const { data: { statement } = {} } = await callFrame(dialog, 'operation:state', {
          ...stated,
          ...own,
          digest: null,
        })
        const creating = { ...own, public_key: publicKeyOfVault, confirmation: null }
        const created = await send(dialogOrigin, '/wallets/token', creating, token, String(statement))
        return { operation: of, accessToken: String(Object(created.body).token) }
      }
      const step = await askToCreate(operation, vaultKey)
      const imported = { ...step, address, recoveryMethod: 'latchkey' }
      expect(await callFrame(dialog, 'wallet:import', imported)).toHaveProperty('error')
      // Nor does the vault create one whose shares the script could open.
      const { data: second = {} } = await callFrame(dialog, 'operation:begin', {})
      const creation = await askToCreate({ id: String(second.operationId), step: 1 }, second.publicKey)
      const slot = {
        status: 'pending',
        walletId: 'wal_1',
        userId,
        kind: 'entropy',
        chain: 'ethereum',
        generation: 1,
        sealingKey: { id: 'seal_1', publicKey: await createVaultKey() },
      }
      expect(await callFrame(dialog, 'wallet:create', { ...creation, place: slot })).toMatchObject({
        error: { details: { code: 'embedded_wallet_not_found' } },
      })
      await page.reload()
      await page.waitForFunction('window.latchkey')
      const user = JSON.stringify(await page.evaluate(() => latchkey.getUser()))
      expect(user).toContain('"type":"email"')
      expect(user).not.toContain('"type":"wallet"')
      connections.close()
    })
  }
})

const password = 'harbor-Violin-meadow-42'
const options = (methods: readonly string[]) =>
  `embedded_wallet_config.user_owned_recovery_options=${JSON.stringify(methods)}`

for (const { kept, gets } of [
  { kept: 'automatically', gets: 'its shares, and the user is notified' },
  { kept: 'by a password', gets: 'no share' },
] as const) {
  test(`for a wallet kept ${kept}, a script that states its own device at a login gets ${gets}`, async ({
    context,
    host,
    inbox,
    page,
    stack,
  }) => {
    test.setTimeout(150_000)
    await injectScript(context, stack)
    await stack.app('set', appId, options(['passkey', 'user-passcode']))
    await host.open()
    await host.logIn(inbox)
    const address = await host.walletAddress()
    await host.openOneLine()
    if (kept === 'by a password') await setPasswordRecovery(host, password)
    await page.evaluate(() => latchkey.logout())

    const accomplice = createBrowser()
    await context.exposeFunction('__restate', async (stated: string) => {
      const [, claims = ''] = stated.split('.')
      const statement = JSON.parse(Buffer.from(claims, 'base64url').toString())
      return signStatement(accomplice.device, { ...statement, vpk: await createVaultKey() })
    })
    const place = accompliceAt(stack)
    const publicKey = await createVaultKey()
    const asked = { purpose: 'recover', address } as const
    /** Creates a step of its own operation, like a vault would. */
    const takeStep = async () => {
      const dialog = getDialog(page, stack)
      const operation = { id: randomUUID(), step: 1 }
      const stated = { ...asked, aud: appId, vpk: publicKey, op: operation, digest: null }
      const statement = signStatement(accomplice.device, { ...stated, jkt: await readDialogKey(dialog) })
      const step = { ...asked, public_key: publicKey, operation, confirmation: null }
      const token = await readToken(dialog)
      return sender(dialog, place.connections)(place.dialogOrigin, '/wallets/token', step, token, statement)
    }
    // The script must be faster than the vault, which not every login allows. It triggers further logins.
    let made = { status: 0, body: undefined as unknown }
    for (let logins = 0; made.status !== 200 && logins < 4; logins += 1) {
      if (logins > 0) await page.evaluate(() => latchkey.logout())
      await host.openOneLine()
      await logInByEmail({ page, host, inbox })
      made = await takeStep()
    }
    expect(made).toMatchObject({ status: 200, body: { token: expect.any(String) } })
    const ofWallet = { token: String(Object(made.body).token), browser: accomplice }
    const released = call(place, 'wallet', '/wallets/shares', {}, ofWallet)
    if (kept === 'automatically') {
      expect(await released).toMatchObject({ recovery_share: { v: 1 } })
      const told = async () => (await inbox.nextMail()).subject
      await expect.poll(told).toContain('Your wallet was recovered on a new device in ')
    } else {
      await expect(released).rejects.toThrow('disallowed_recovery_method')
    }
    place.connections.close()
  })
}
