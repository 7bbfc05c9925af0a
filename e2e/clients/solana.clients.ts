/** Solana's wallet adapter (web3.js 1) and kit, each on a page with the one-line embed. */
import { address, createSolanaRpc, devnet, lamports, type Signature } from '@solana/kit'
import { fundRelay, isSignedMessage, isSignedTransaction, recipient, transfer } from '../pages/solana.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from './page.ts'

type SignedIn = { address: string; message: string; signature: number[] }

for (const library of ['solana-adapter', 'solana-kit']) {
  test(`${library} lists the wallet, which signs, sends and signs in`, async ({ client, inbox, stack }) => {
    const rpc = createSolanaRpc(devnet(await stack.startSolana()))
    const nodes = `solana_rpc_urls.devnet=${JSON.stringify([stack.solanaUrl])}`
    await stack.app('set', appId, 'solana_beside_ethereum=true', nodes)
    await client.open(library)
    await client.logIn(inbox)
    const wallet = await client.call<string>('account')
    await rpc.requestAirdrop(address(wallet), lamports(20_000_000n)).send()

    const signature = JSON.parse(await client.sign('signMessage', 'Two herons'))
    expect(await isSignedMessage(wallet, signature, 'Two herons')).toBe(true)

    if (library === 'solana-adapter') expect(await client.sign('signLegacy', 2_000_000)).toBe(true)
    else {
      const signed = await client.sign<number[]>('signVersioned', 2_000_000)
      const { value: latest } = await rpc.getLatestBlockhash().send()
      expect(await isSignedTransaction(wallet, signed, transfer(wallet, 2_000_000n, latest.blockhash))).toBe(
        true,
      )
    }

    const before = (await rpc.getBalance(address(recipient)).send()).value
    const sent = await client.sign<Signature>('sendVersioned', 3_000_000)
    expect((await rpc.getBalance(address(recipient)).send()).value - before).toBe(3_000_000n)
    expect((await rpc.getSignatureStatuses([sent]).send()).value).toMatchObject([{ err: null }])

    const signedIn = await client.sign<SignedIn>('signIn', 'Welcome')
    expect(signedIn).toMatchObject({
      address: wallet,
      message: `${new URL(stack.hostOrigin).host} wants you to sign in with your Solana account:\n${wallet}\n\nWelcome\n\nNonce: a1b2c3d4`,
    })
    expect(await isSignedMessage(wallet, signedIn.signature, signedIn.message)).toBe(true)
  })
  test(`${library} sends a transaction without a fee for the wallet`, async ({ client, inbox, stack }) => {
    const rpc = createSolanaRpc(devnet(await stack.startSolana()))
    const nodes = `solana_rpc_urls.devnet=${JSON.stringify([stack.solanaUrl])}`
    await stack.app('set', appId, 'solana_beside_ethereum=true', nodes, 'sponsored_clusters=["devnet"]')
    await fundRelay(rpc)
    await client.open(library)
    await client.logIn(inbox)
    const wallet = address(await client.call<string>('account'))
    await rpc.requestAirdrop(wallet, lamports(3_000_000n)).send()
    const sent = await client.sign<Signature>('sendVersioned', 3_000_000)
    expect((await rpc.getSignatureStatuses([sent]).send()).value).toMatchObject([{ err: null }])
    expect((await rpc.getBalance(wallet).send()).value).toBe(0n)
  })
}
