/**
 * Seed phrases as people type them: the words of ten lists, their checksum, and the accounts that other
 * wallets derive.
 */
import { bytesToHex } from '@noble/hashes/utils.js'
import { mnemonicToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { bip39Vectors } from '../../testing/vectors/standard-vectors.ts'
import { mnemonicToSeed } from '../keys/entropy.ts'
import { privateKeyToAddress } from '../keys/evm-address.ts'
import { deriveAccountKeys, isSeedPhrase, parsePhrase } from './seed-phrase.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const read = (text: string) => parsePhrase(bytesOf(text))
function sentenceOf(text: string) {
  const phrase = read(text)
  if ('problem' in phrase) throw new Error(`${phrase.problem}: ${text}`)
  return phrase.sentence
}
const addressesOf = async (text: string, passphrase = '') =>
  (await deriveAccountKeys(sentenceOf(text), passphrase)).map(privateKeyToAddress)

/** BIP-39, Japanese, with a passphrase that NFKD changes: bip32JP, test_JP_BIP39.json */
const japanesePassphrase = '㍍ガバヴァぱばぐゞちぢ十人十色'
const japaneseVectors = [
  {
    phrase:
      'あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あいこくしん　あおぞら',
    seed: 'a262d6fb6122ecf45be09c50492b31f92e9beb7d9a845987a02cefda57a15f9c467a17872029a9e92299b5cbdf306e3a0ee620245cbd508959b6cb7ca637bd55',
  },
  {
    phrase:
      'ぬすむ　ふっかつ　うどん　こうりつ　しつじ　りょうり　おたがい　せもたれ　あつめる　いちりゅう　はんしゃ　ごますり　そんけい　たいちょう　らしんばん　ぶんせき　やすみ　ほいく',
    seed: 'b14e7d35904cb8569af0d6a016cee7066335a21c1c67891b01b83033cadb3e8a034a726e3909139ecd8b2eb9e9b05245684558f329b38480e262c1d6bc20ecc4',
  },
  {
    phrase:
      'うちゅう　ふそく　ひしょ　がちょう　うけもつ　めいそう　みかん　そざい　いばる　うけとる　さんま　さこつ　おうさま　ぱんつ　しひょう　めした　たはつ　いちぶ　つうじょう　てさぎょう　きつね　みすえる　いりぐち　かめれおん',
    seed: '346b7321d8c04f6f37b49fdf062a2fddc8e1bf8f1d33171b65074531ec546d1d3469974beccb1a09263440fc92e1042580a557fdce314e27ee4eabb25fa5e5fe',
  },
]

/** A phrase of each list with the address of account 0, and of account 9 under the passphrase 'TREZOR'. */
const phrases = [
  [
    'English',
    'estate net upset search glance popular stool fitness tomato enact network valve',
    '0xB475ddb8B1b9DA99Bb5566e0eF0dfE0C441A0272',
    '0x8c8f96aeec6CAaed02719b11EFBD99851c9b2556',
  ],
  [
    'Czech',
    'hormon vidina mimika placenta andulka poezie objekt pero tabletka plaz bukvice sopka',
    '0x9579042F656a7eb131d0A5efcEF3F3c284b1Fc88',
    '0x7e7030E2a74f608c430eef82ABa9Ab4Db218ab0b',
  ],
  [
    'French',
    'dénouer cuillère cendrier organe papoter brave oculaire vanille sembler tropical rotatif sérieux caution tournage agile',
    '0x3f0adcE2f1aC3320395DDa59E00E54d749097325',
    '0x540E5c6AB697cD0dE2F4F0264809B04953D5B7E6',
  ],
  [
    'Italian',
    'falco ospite uccisore sbancato guadagno preparato sorriso frutta telefono esempio ossa unisono stelo lite consumo chela mecenate agricolo',
    '0xdF2d4b045B06ceb9FE552E7cA319691b38FAD496',
    '0x691c5Be50C59f6DDD365F8740a92d68DB6c65B7A',
  ],
  [
    'Japanese',
    'ざいげん　めんせき　にっさん　へいおん　うけたまわる　かわら　あつい　ねほりはほり　やさしい　てみじか　こんや　あんい',
    '0x4015b4ED802DCddCe48A057571E4a5F319eeb107',
    '0x3f03aEe9d50947cF9aC11b197688588e739e62bF',
  ],
  [
    'Korean',
    '물고기 모금 단어 임무 잔뜩 김치 인원 현상 출입 한번 책가방 취향 다음 학기 갑자기 지각 송편 임금 저절로 건물 예컨대',
    '0xD0Df998709F9fD6C3dF62cf57404F8827Ffc403D',
    '0x37f770091568476fd5AA047f722d4517A698dFf7',
  ],
  [
    'Portuguese',
    'fuligem mesquita chocalho aclive girino cinto epiderme hipismo adaptar eclodir serra casca',
    '0xe3C6C7CbD4c562c8f567a5B530B805dfe5B7f5cC',
    '0x738384B4d34D9e28D5560c77a460Fe533914B425',
  ],
  [
    'simplified Chinese',
    '辉 丝 它 挑 徙 粮 遵 刚 洲 公 躺 昨 急 饱 通 苦 抹 牲 姑 数 框 怀 宜 写',
    '0xE4ad4FD993F545a81E3eBBa7941c80aB27a97437',
    '0x401F2c7a24A6D9b701E49F70357986a2C3277D2d',
  ],
  [
    'Spanish',
    'enlace mudar triunfo raspa gen pacto servir fianza tema editor mueble túnel',
    '0x6e49a1c79798E8A85c6168fe61b037E7b8f47aF0',
    '0x6568188A02c3BfFb2c2F03B533dA7d412B0d24Fe',
  ],
  [
    'traditional Chinese',
    '凍 鬼 蝕 浙 描 卸 綸 熙 藥 福 碼 湘',
    '0x20D39e81ec56059c6a1C85710447085269D03e73',
    '0x82CeCDCF9e574eBe7eDDD4c1CeAe8e4291Be19DC',
  ],
] as const

describe('a seed phrase', () => {
  it.each(bip39Vectors)("of the standard's vectors gives its seed: $mnemonic", async ({ mnemonic, seed }) => {
    expect(bytesToHex(await mnemonicToSeed(sentenceOf(mnemonic), 'TREZOR'))).toBe(seed)
  })

  it.each(japaneseVectors)('of the Japanese vectors gives its seed: $phrase', async ({ phrase, seed }) => {
    expect(bytesToHex(await mnemonicToSeed(sentenceOf(phrase), japanesePassphrase))).toBe(seed)
  })

  it.each(phrases)(
    'of the %s list has the addresses that viem derives',
    async (_list, phrase, first, tenth) => {
      const words = phrase.normalize('NFKD')
      expect(mnemonicToAccount(words).address).toBe(first)
      expect(mnemonicToAccount(words, { addressIndex: 9, passphrase: 'TREZOR' }).address).toBe(tenth)
      const addresses = await addressesOf(phrase)
      expect(addresses).toHaveLength(10)
      expect(addresses[0]).toBe(first)
      expect((await addressesOf(phrase, 'TREZOR'))[9]).toBe(tenth)
    },
  )

  it('is the same however it is spaced, capitalised and composed', async () => {
    const [, , [, french], , [, japanese], , , [, chinese]] = phrases
    for (const [text, same] of [
      [french, french.toUpperCase()],
      [french, `\n ${french.replaceAll(' ', '\r\n\t')}\n`],
      [french, french.normalize('NFD')],
      [french, french.replaceAll(' ', '\u00a0')],
      [japanese, japanese.replaceAll('\u3000', ' ')],
      [chinese, chinese.replaceAll(' ', '')],
    ] as const)
      expect(sentenceOf(same), same).toEqual(sentenceOf(text))
  })

  it('with a wrong number of words is reported with that number', () => {
    for (const count of [1, 2, 11, 13, 14, 16, 23, 25, 48])
      expect(read('abandon '.repeat(count))).toEqual({ problem: 'word_count', count })
  })

  it('with an unknown word is reported with the first one that the best-fitting list lacks', () => {
    const [[, english], , [, french]] = phrases
    expect(read(english.replace('net', 'nett').replace('valve', 'valv'))).toEqual({
      problem: 'unknown_word',
      word: 'nett',
    })
    expect(read(french.replace('cuillère', 'cuillere'))).toEqual({
      problem: 'unknown_word',
      word: 'cuillere',
    })
    expect(read(`${'é'.repeat(60)} ${english.replace('estate ', '')}`)).toEqual({
      problem: 'unknown_word',
      word: `${'é'.repeat(24)}…`,
    })
  })

  it.each(phrases)('of the %s list with two swapped words has a wrong checksum', (_list, phrase) => {
    const [first, second, ...rest] = phrase.split(/\s/)
    expect(read([second, first, ...rest].join(' '))).toEqual({ problem: 'wrong_checksum' })
  })

  it('is distinguished from a key', () => {
    for (const [, phrase] of phrases) expect(isSeedPhrase(bytesOf(phrase)), phrase).toBe(true)
    const [, , , , , , , [, chinese]] = phrases
    for (const text of [chinese.replaceAll(' ', ''), 'my key', 'あい\u3000うえ', ' my\nkey '])
      expect(isSeedPhrase(bytesOf(text)), text).toBe(true)
    for (const text of [
      '',
      'abandon',
      `${'ab'.repeat(32)}\n`,
      `0x${'1f'.repeat(32)}`,
      `${'1f'.repeat(16)} ${'1f'.repeat(16)}`,
      '\uff10'.repeat(64),
    ])
      expect(isSeedPhrase(bytesOf(text)), text).toBe(false)
  })
})
