/** Contract wallets on the sandbox's chain: deployed (ERC-1271) and counterfactual (ERC-6492). */
import {
  type Address,
  createClient,
  type Hex,
  http,
  type LocalAccount,
  publicActions,
  testActions,
  walletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { encodeFunctionData, parseAbi, serializeErc6492Signature } from 'viem/utils'

const factoryAbi = parseAbi(['function make(address owner) returns (address)'])

/** `Factory` of wallet.sol, by solc 0.8.30 for `paris`, optimized for one run and without metadata. */
const factoryCode: Hex = `0x${[
  '6080604052348015600f57600080fd5b506103b18061001f6000396000f3fe6080604052348015600f57600080fd5b506004',
  '361060285760003560e01c80631060930d14602d575b600080fd5b603c6038366004609c565b6050565b6040516047919060',
  'ca565b60405180910390f35b60008060001b82604051606190608f565b6069919060ca565b8190604051809103906000f590',
  '50801580156088573d6000803e3d6000fd5b5092915050565b6102d2806100df83390190565b60006020828403121560ad57',
  '600080fd5b81356001600160a01b038116811460c357600080fd5b9392505050565b6001600160a01b039190911681526020',
  '019056fe60a0604052348015600f57600080fd5b506040516102d23803806102d2833981016040819052602c91603c565b60',
  '01600160a01b0316608052606a565b600060208284031215604d57600080fd5b81516001600160a01b038116811460635760',
  '0080fd5b9392505050565b60805161024d610085600039600061011b015261024d6000f3fe60806040523480156100105760',
  '0080fd5b506004361061002b5760003560e01c80631626ba7e14610030575b600080fd5b61004361003e366004610172565b',
  '610060565b6040516001600160e01b0319909116815260200160405180910390f35b60006041821461006f57600080fd5b60',
  '0060018585856040818110610087576100876101ee565b919091013560f81c905061009f60206000888a610204565b6100a8',
  '9161022e565b6100b660406020898b610204565b6100bf9161022e565b6040805160008152602081018083529590955260ff',
  '909316928401929092526060830152608082015260a0016020604051602081039080840390855afa15801561010d573d6000',
  '803e3d6000fd5b5050506020604051035190507f000000000000000000000000000000000000000000000000000000000000',
  '00006001600160a01b0316816001600160a01b031614610160576001600160e01b0319610169565b630b135d3f60e11b5b95',
  '945050505050565b60008060006040848603121561018757600080fd5b8335925060208401356001600160401b0381111561',
  '01a457600080fd5b8401601f810186136101b557600080fd5b80356001600160401b038111156101cb57600080fd5b866020',
  '8284010111156101dd57600080fd5b939660209190910195509293505050565b634e487b7160e01b60005260326004526024',
  '6000fd5b6000808585111561021457600080fd5b8386111561022157600080fd5b5050820193919092039150565b80356020',
  '83101561024757600019602084900360031b1b165b9291505056',
].join('')}`

export async function createContractWallets(chainUrl: string) {
  const client = createClient({ transport: http(chainUrl), pollingInterval: 10 })
    .extend(publicActions)
    .extend(walletActions)
    .extend(testActions({ mode: 'anvil' }))
  const [payer] = await client.getAddresses()
  if (!payer) throw new Error('The chain has no account that pays')
  const mined = async (hash: Hex) => client.waitForTransactionReceipt({ hash })

  const deployed = await mined(
    await client.sendTransaction({ account: payer, chain: null, data: factoryCode }),
  )
  const factory = deployed.contractAddress
  if (!factory) throw new Error('The factory was not made')

  const makeCall = (owner: LocalAccount) => ({
    address: factory,
    abi: factoryAbi,
    functionName: 'make' as const,
    args: [owner.address] as const,
    account: payer,
  })

  return {
    /** Creates a counterfactual wallet: its address is known, but no code is deployed there. */
    async counterfactual() {
      const owner = privateKeyToAccount(generatePrivateKey())
      const { result: address } = await client.simulateContract(makeCall(owner))
      return testWallet(address, owner, async (message) =>
        serializeErc6492Signature({
          address: factory,
          data: encodeFunctionData({ abi: factoryAbi, functionName: 'make', args: [owner.address] }),
          signature: await owner.signMessage({ message }),
        }),
      )
    },
    async deployed() {
      const owner = privateKeyToAccount(generatePrivateKey())
      const { result: address } = await client.simulateContract(makeCall(owner))
      await mined(await client.writeContract({ ...makeCall(owner), chain: null }))
      return testWallet(address, owner, (message) => owner.signMessage({ message }))
    },
    codeAt: (address: Address) => client.getCode({ address }),
    setCode: (address: Address, bytecode: Hex) => client.setCode({ address, bytecode }),
  }
}

/** The part of a wallet that a login needs. */
export type TestWallet = {
  address: Address
  sign: (message: string) => Promise<Hex>
}

const testWallet = (
  address: Address,
  owner: LocalAccount,
  sign: (message: string) => Promise<Hex>,
): TestWallet & { owner: LocalAccount } => ({ address, owner, sign })

/** Creates a wallet with a plain private key (EOA). */
export function createKeyWallet(): TestWallet {
  const { address, signMessage } = privateKeyToAccount(generatePrivateKey())
  return { address, sign: (message) => signMessage({ message }) }
}
