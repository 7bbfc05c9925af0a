import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { HDKey } from '@scure/bip32'
import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import fc from 'fast-check'
import { mnemonicToAccount } from 'viem/accounts'
import { getAddress } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import {
  bip32InvalidKeys,
  bip32Vectors,
  bip39Vectors,
  slip10Vectors,
} from '../../testing/vectors/standard-vectors.ts'
import { parseKeyText } from '../import/key-text.ts'
import { withChecksum } from './checksum.ts'
import {
  deriveBip32Key,
  deriveEvmAddress,
  deriveEvmKey,
  deriveSolanaKey,
  deriveSolanaPublicKey,
  getDerivation,
} from './derivation.ts'
import { entropyToSeed, generateEntropy, mnemonicBytes } from './entropy.ts'
import { slip10 } from './slip10.ts'

const entropy16 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => new Uint8Array(bytes))
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('BIP-39', () => {
  it.each(bip39Vectors)(
    'turns $entropy into its mnemonic and its seed',
    async ({ entropy, mnemonic, seed }) => {
      const bytes = hexToBytes(entropy)
      expect(text(mnemonicBytes(bytes))).toBe(mnemonic)
      expect(bytesToHex(await entropyToSeed(bytes, 'TREZOR'))).toBe(seed)
    },
  )

  it('writes the mnemonic of the reference library, for any entropy', () => {
    fc.assert(
      fc.property(fc.constantFrom(16, 20, 24, 28, 32), fc.infiniteStream(fc.nat(255)), (length, random) => {
        const bytes = Uint8Array.from({ length }, () => random.next().value ?? 0)
        expect(text(mnemonicBytes(bytes))).toBe(entropyToMnemonic(bytes, wordlist))
      }),
    )
  })

  it('derives the seed of the reference library without a passphrase', async () => {
    const bytes = hexToBytes('9e885d952ad362caeb4efe34a8e91bd2')
    expect(await entropyToSeed(bytes)).toEqual(
      new Uint8Array(mnemonicToSeedSync(entropyToMnemonic(bytes, wordlist))),
    )
  })

  it('draws 128 bits that differ each time', () => {
    const drawn = Array.from({ length: 50 }, () => bytesToHex(generateEntropy()))
    expect(new Set(drawn).size).toBe(50)
    expect(drawn.every((hex) => hex.length === 32)).toBe(true)
  })
})

describe('BIP-32', () => {
  it.each(bip32Vectors)('derives $path of seed $seed', ({ seed, path, xprv }) => {
    const expected = HDKey.fromExtendedKey(xprv).privateKey
    expect(deriveBip32Key(hexToBytes(seed), path)).toEqual(expected)
  })

  it('is tested with the vectors 1 to 4', () => {
    expect(new Set(bip32Vectors.map(({ seed }) => seed)).size).toBe(4)
    expect(bip32Vectors).toHaveLength(17)
  })

  it.each(bip32InvalidKeys)('refuses an extended key: $problem', ({ key }) => {
    expect(() => HDKey.fromExtendedKey(key)).toThrow()
    // The vault reads no extended keys: as a private key, this text is invalid.
    expect(parseKeyText(new TextEncoder().encode(key))).toEqual({ problem: 'not_a_key' })
  })
})

describe('SLIP-10 for ed25519', () => {
  it.each(slip10Vectors)('derives $path of seed $seed', ({ seed, path, chainCode, key }) => {
    const node = slip10(hexToBytes(seed), path)
    expect(bytesToHex(node.key)).toBe(key)
    expect(bytesToHex(node.chainCode)).toBe(chainCode)
  })

  it.each([-1, 0x8000_0000, 0.5])('refuses the index %d', (index) => {
    expect(() => slip10(new Uint8Array(64), [index])).toThrow(RangeError)
  })
})

describe('the keys of a wallet', () => {
  it('have the address that other wallets show for the same mnemonic', async () => {
    await fc.assert(
      fc.asyncProperty(entropy16, async (entropy) => {
        expect(await deriveEvmAddress(entropy)).toBe(
          mnemonicToAccount(entropyToMnemonic(entropy, wordlist)).address,
        )
      }),
      { numRuns: 10 },
    )
  })

  it("have the well-known address of the mnemonic 'test test … junk'", async () => {
    // The mnemonic that every development chain funds; the key of its first account is public.
    const entropy = hexToBytes('df9bf37e6fcdf9bf37e6fcdf9bf37e3c')
    expect(text(mnemonicBytes(entropy))).toBe('test test test test test test test test test test test junk')
    expect(await deriveEvmAddress(entropy)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(bytesToHex(await deriveEvmKey(entropy))).toBe(
      'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
    )
  })

  it("include a Solana key at m/44'/501'/0'/0'", async () => {
    const entropy = hexToBytes('00000000000000000000000000000000')
    const seed = mnemonicToSeedSync(entropyToMnemonic(entropy, wordlist))
    expect(await deriveSolanaKey(entropy)).toEqual(slip10(seed, [44, 501, 0, 0]).key)
    expect(bytesToHex(await deriveSolanaPublicKey(entropy))).toBe(
      'f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f7',
    )
    // The account that Solana wallets show for 'abandon … about'.
    expect(await getDerivation({ kind: 'entropy', chain: 'solana' }).toAddress(entropy)).toBe(
      'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
    )
  })
})

describe('EIP-55', () => {
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0xde709f2102306220921060314715629080e2fb77',
  ])('writes the checksum of %s', (address) => {
    expect(withChecksum(address.toLowerCase())).toBe(address)
    expect(withChecksum(`0x${address.slice(2).toUpperCase()}`)).toBe(address)
  })

  it('writes the checksum of viem, for any address', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const address = `0x${bytesToHex(new Uint8Array(bytes))}` as const
        expect(withChecksum(address)).toBe(getAddress(address))
      }),
    )
  })
})
