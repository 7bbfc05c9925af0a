/** Market orders, as a user sees them. */
import fc from 'fast-check'
import { hashStruct, keccak256, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { readTexts } from '../texts/at-start.ts'
import { parseOrders } from './orders.ts'
import {
  birds,
  bulk,
  components,
  cow,
  emptyLeaf,
  item,
  limitOrder,
  otcOrder,
  otherAccount,
  read,
  rfqOrder,
  seaport,
  type TypedDataRequest,
  to,
  usdc,
  wallet,
  weth,
  zeroAddress,
} from './testing/orders.ts'
import type { Texts } from './texts.arb'
import { analyzeTypedData, listTokens, movesCoin } from './typed-data-meaning.ts'
import { type AssetNames, describeFindings, noAssetNames } from './typed-data-words.ts'

const names: AssetNames = {
  coin: { symbol: 'ETH', decimals: 18 },
  tokens: [
    { address: usdc, symbol: 'USDC', decimals: 6 },
    { address: weth, symbol: 'WETH', decimals: 18 },
  ],
}
const texts = readTexts<Texts>(import.meta.dirname)
const describeRequest = (request: TypedDataRequest, assetNames = names, language = 'en') => {
  const { title, sentences: all } = describeFindings(
    analyzeTypedData(read(request), wallet),
    assetNames,
    texts(language),
    language,
  )
  return [title, ...all.map(({ text, isPlain }) => (isPlain ? text : `! ${text}`))]
}
const coin = (amount: string) => item(0, zeroAddress, '0', amount)
const tokens = (amount: string, end = amount) => item(1, weth, '0', amount, end)

describe("an order's types have the hash that the market publishes", () => {
  const hashOfType = ({ types }: TypedDataRequest, ...structs: readonly string[]) =>
    keccak256(
      stringToHex(
        structs
          .map((name) => `${name}(${types[name]?.map((field) => `${field.type} ${field.name}`).join(',')})`)
          .join(''),
      ),
    )
  test.each([
    // https://github.com/cowprotocol/contracts/blob/main/src/contracts/libraries/GPv2Order.sol
    ['CoW', cow(), ['Order'], '0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489'],
    // https://github.com/0xProject/protocol/blob/development/contracts/zero-ex/contracts/src/features/libs/LibNativeOrder.sol
    [
      '0x',
      limitOrder(),
      ['LimitOrder'],
      '0xce918627cb55462ddbb85e73de69a8b322f2bc88f4507c52fcad6d4c33c29d49',
    ],
    ['0x', rfqOrder(), ['RfqOrder'], '0xe593d3fdfa8b60e5e17a1b2204662ecbe15c23f2084b9ad5bae40359540a7da9'],
    // https://github.com/ProjectOpenSea/seaport-core/blob/main/src/lib/ConsiderationBase.sol
    [
      'Seaport',
      seaport(),
      ['OrderComponents', 'ConsiderationItem', 'OfferItem'],
      '0xfa445660b7e21515a59617fcd68910b487aa5808b8abda3d78bc85df364b2c2f',
    ],
  ])('%s %#', (_market, given, structs, hash) => {
    expect(hashOfType(given, ...structs)).toBe(hash)
    // The parsed order is the hashed one.
    const { types, primaryType, message } = read(given)
    expect(() => hashStruct({ types, primaryType, data: message } as never)).not.toThrow()
  })
})

describe('an order of CoW Protocol', () => {
  test('is a sale with amounts of known tokens', () => {
    expect(describeRequest(cow())).toEqual([
      'Sell 5 USDC for at least 0.002 WETH until 31 December 2026',
      `Sell 5 USDC (${usdc}) for at least 0.002 WETH (${weth}) until 31 December 2026 at 12:00 UTC, on CoW Protocol.`,
    ])
    expect(describeRequest(cow(), names, 'ar')).toEqual([
      'بيع 5 USDC مقابل 0.002 WETH على الأقل حتى 31 ديسمبر 2026',
      `بيع 5 USDC (${usdc}) مقابل 0.002 WETH (${weth}) على الأقل حتى 31 ديسمبر 2026 في 12:00 م UTC، على CoW Protocol.`,
    ])
  })

  test('without a recipient pays the signer', () => {
    expect(describeRequest(cow({ receiver: zeroAddress }))).toEqual(describeRequest(cow()))
  })

  test('shows addresses and smallest units for unknown tokens', () => {
    expect(describeRequest(cow(), noAssetNames)).toEqual([
      'Sign an order',
      `Sell 5000000 of the smallest units of the token ${usdc} for at least 2000000000000000 of the smallest units of the token ${weth} until 31 December 2026 at 12:00 UTC, on CoW Protocol.`,
    ])
    const withoutSymbol = { coin: null, tokens: [{ address: usdc, symbol: null, decimals: 6 }] }
    expect(describeRequest(cow(), withoutSymbol)).toEqual(describeRequest(cow(), noAssetNames))
  })

  test('to buy shows the maximum price including the fee', () => {
    expect(describeRequest(cow({ kind: 'buy', feeAmount: '250000' }))).toEqual([
      'Buy 0.002 WETH for at most 5.25 USDC until 31 December 2026',
      `Buy 0.002 WETH (${weth}) for at most 5.25 USDC (${usdc}) until 31 December 2026 at 12:00 UTC, on CoW Protocol.`,
    ])
  })

  test('for the native coin names it', () => {
    const given = cow({ buyToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE' })
    expect(describeRequest(given)[0]).toBe('Sell 5 USDC for at least 0.002 ETH until 31 December 2026')
    expect(movesCoin(analyzeTypedData(read(given)))).toBe(true)
    expect(movesCoin(analyzeTypedData(read(cow())))).toBe(false)
  })

  test('with another recipient is a gift and shows the recipient', () => {
    expect(describeRequest(cow({ receiver: otherAccount }))).toEqual([
      'Give away 5 USDC until 31 December 2026',
      `! Give away 5 USDC (${usdc}) until 31 December 2026 at 12:00 UTC, on CoW Protocol.`,
      `! Not to this wallet, but to ${otherAccount}: 0.002 WETH (${weth}).`,
    ])
  })

  test('above any balance is for everything', () => {
    const [title, order] = describeRequest(cow({ sellAmount: String(2n ** 256n - 1n), feeAmount: '0' }))
    expect(title).toBe('Sign an order')
    expect(order).toContain(`Sell everything that you have of the token USDC (${usdc}) for`)
  })

  test('lists the tokens to look up', () => {
    expect(listTokens(analyzeTypedData(read(cow())))).toEqual([usdc, weth])
  })
})

describe('an order of 0x', () => {
  test.each([
    ['with a limit', limitOrder()],
    ['for a quote', rfqOrder()],
    ['over the counter', otcOrder()],
  ])('%s is a sale by its maker', (_name, given) => {
    expect(describeRequest(given)).toEqual([
      'Sell 5 USDC for at least 0.002 WETH until 31 December 2026',
      `Sell 5 USDC (${usdc}) for at least 0.002 WETH (${weth}) until 31 December 2026 at 12:00 UTC, on 0x.`,
    ])
  })

  test('over the counter is reversed for its taker', () => {
    expect(describeRequest(otcOrder({ maker: otherAccount, taker: wallet }))[0]).toBe(
      'Sell 0.002 WETH for at least 5 USDC until 31 December 2026',
    )
  })

  test('of another maker shows that maker', () => {
    expect(describeRequest(rfqOrder({ maker: otherAccount }))).toEqual([
      'Give away 5 USDC until 31 December 2026',
      `! Give away 5 USDC (${usdc}) until 31 December 2026 at 12:00 UTC, on 0x.`,
      `! Not to this wallet, but to ${otherAccount}: 0.002 WETH (${weth}).`,
      `! It is an order of the wallet ${otherAccount}, not of this wallet.`,
    ])
  })

  test('must name the 0x contract of its chain', () => {
    const at = (chainId: string, verifyingContract: string) =>
      parseOrders(
        read({ ...limitOrder(), domain: { ...limitOrder().domain, chainId, verifyingContract } }),
        wallet,
      )?.length
    const elsewhere = '0xDEF1ABE32c034e558Cdd535791643C58a13aCC10'
    const usual = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'
    expect([at('1', usual), at('8453', usual), at('10', elsewhere)]).toEqual([1, 1, 1])
    expect([at('10', usual), at('1', elsewhere)]).toEqual([undefined, undefined])
  })
})

describe('an order of Seaport', () => {
  test('is a sale of an NFT and shows other recipients', () => {
    const consideration = [
      to(wallet, coin('975000000000000000')),
      to(otherAccount, coin('25000000000000000')),
    ]
    expect(describeRequest(seaport({ consideration }))).toEqual([
      'Sign an order',
      `Sell number 777 of the collection ${birds} for at least 0.975 ETH until 31 December 2026 at 12:00 UTC, on Seaport.`,
      `! Not to this wallet, but to ${otherAccount}: 0.025 ETH.`,
    ])
  })

  test('that pays the signer nothing is a gift', () => {
    expect(describeRequest(seaport({ consideration: [to(otherAccount, coin('1'))] }))).toEqual([
      'Sign an order',
      `! Give away number 777 of the collection ${birds} until 31 December 2026 at 12:00 UTC, on Seaport.`,
      `! Not to this wallet, but to ${otherAccount}: 0.000000000000000001 ETH.`,
    ])
    expect(describeRequest(seaport({ consideration: [] }))).toEqual([
      'Sign an order',
      `! Give away number 777 of the collection ${birds} until 31 December 2026 at 12:00 UTC, on Seaport.`,
    ])
  })

  test('is a purchase of any item of a collection', () => {
    const offer = [tokens('2000000000000000')]
    const consideration = [to(wallet, item(4, birds, '0', '1'))]
    expect(describeRequest(seaport({ offer, consideration }))).toEqual([
      'Sign an order',
      `Buy any 1 of the collection ${birds} for at most 0.002 WETH (${weth}) until 31 December 2026 at 12:00 UTC, on Seaport.`,
    ])
  })

  test('with changing amounts shows the maximum given and the minimum received', () => {
    const consideration = [to(wallet, tokens('2000000000000000000', '500000000000000000'))]
    const offer = [item(1, usdc, '0', '1000000', '3000000'), item(3, birds, '5', '10')]
    expect(describeRequest(seaport({ offer, consideration }))[1]).toBe(
      `Sell 3 USDC (${usdc}) and 10 × number 5 of the collection ${birds} for at least 0.5 WETH (${weth}) until 31 December 2026 at 12:00 UTC, on Seaport.`,
    )
  })

  test('without an expiry shows none', () => {
    expect(describeRequest(seaport({ endTime: String(2n ** 256n - 1n) }))[1]).toBe(
      `Sell number 777 of the collection ${birds} for at least 0.975 ETH, on Seaport.`,
    )
  })

  test('of another wallet shows that wallet', () => {
    expect(describeRequest(seaport({ offerer: otherAccount })).at(-1)).toBe(
      `! It is an order of the wallet ${otherAccount}, not of this wallet.`,
    )
  })

  test('is described individually in a bulk order', () => {
    const other = components({ offer: [item(2, birds, '778', '1')], salt: '2' })
    const tree = [
      [components(), other],
      [emptyLeaf, emptyLeaf],
    ]
    expect(describeRequest(bulk(tree))).toEqual([
      'Sign 2 orders',
      `1. Sell number 777 of the collection ${birds} for at least 0.975 ETH until 31 December 2026 at 12:00 UTC, on Seaport.`,
      `2. Sell number 778 of the collection ${birds} for at least 0.975 ETH until 31 December 2026 at 12:00 UTC, on Seaport.`,
    ])
    const unknown = components({ orderType: 4 })
    expect(parseOrders(read(bulk([components(), unknown], 'OrderComponents[2]')), wallet)).toBeUndefined()
    expect(parseOrders(read(bulk([components(), components()], 'OrderComponents[]')), wallet)).toBeUndefined()
    expect(parseOrders(read(bulk([emptyLeaf, emptyLeaf], 'OrderComponents[2]')), wallet)).toBeUndefined()
  })

  test.each([
    ['1.4', '0x00000000000001ad428e4906aE43D8F9852d0dD6'],
    ['1.5', '0x00000000000000ADc04C56Bf30aC9d3c0aAF14dC'],
    ['1.6', '0x0000000000000068F116a894984e2DB1123eB395'],
  ])('of version %s must name the contract of that version', (version, verifyingContract) => {
    const at = (domain: object) =>
      parseOrders(read({ ...seaport(), domain: { ...seaport().domain, ...domain } }), wallet)?.length
    expect(at({ version, verifyingContract })).toBe(1)
    expect(at({ version, verifyingContract: otherAccount })).toBeUndefined()
    expect(at({ version: '1.1', verifyingContract })).toBeUndefined()
  })

  test.each([
    ['of a kind that is not known', { offer: [item(6, birds, '1', '1')] }],
    ['of a coin with a contract', { consideration: [to(wallet, item(0, weth, '0', '1'))] }],
    ['of a token with a number', { consideration: [to(wallet, item(1, weth, '1', '1'))] }],
    ['that a contract makes', { orderType: 4 }],
    ['that offers nothing', { offer: [] }],
  ])('is unknown with %s', (_what, change) => {
    expect(parseOrders(read(seaport(change)), wallet)).toBeUndefined()
  })
})

describe('an order that differs in one field', () => {
  const orders: readonly (readonly [string, TypedDataRequest])[] = [
    ['CoW', cow()],
    ['a limit of 0x', limitOrder()],
    ['a quote of 0x', rfqOrder()],
    ['0x over the counter', otcOrder()],
    ['Seaport', seaport()],
    ['many of Seaport', bulk([components(), emptyLeaf], 'OrderComponents[2]')],
  ]
  test.each(orders)('is no order of %s, and shown as any typed data', (_market, given) => {
    expect(parseOrders(read(given), wallet)).toHaveLength(1)
    for (const [struct, fields] of Object.entries(given.types)) {
      if (struct === 'EIP712Domain') continue
      const withTypes = (changed: typeof fields) => ({
        ...given,
        types: { ...given.types, [struct]: changed },
      })
      // Reordered fields, or a type of another width that the values fit too.
      expect(parseOrders(read(withTypes(fields.toReversed())), wallet)).toEqual(
        fields.length === 1 ? expect.anything() : undefined,
      )
      fields.forEach(({ name, type }, at) => {
        if (!/^uint(?:8|32|64|128|256)$/.test(type)) return
        const other = type === 'uint256' ? 'uint248' : 'uint256'
        const changed = withTypes(fields.with(at, { name, type: other }))
        expect([name, parseOrders(read(changed), wallet)]).toEqual([name, undefined])
      })
    }
    for (const [field, value] of [
      ['name', 'Other'],
      ['version', '0'],
      ['verifyingContract', otherAccount],
    ]) {
      const changed = { ...given, domain: { ...given.domain, [String(field)]: value } }
      expect([field, parseOrders(read(changed), wallet)]).toEqual([field, undefined])
    }
    const withSalt = {
      ...given,
      types: {
        ...given.types,
        EIP712Domain: [...(given.types.EIP712Domain ?? []), { name: 'salt', type: 'bytes32' }],
      },
      domain: { ...given.domain, salt: `0x${'00'.repeat(32)}` },
    }
    expect(parseOrders(read(withSalt), wallet)).toBeUndefined()
  })

  test.each(['kind', 'sellTokenBalance', 'buyTokenBalance'])('is not a CoW order if %s differs', (field) => {
    expect(parseOrders(read(cow({ [field]: 'internal' })), wallet)).toBeUndefined()
  })
})

test('any amounts of an order are shown in full', () => {
  const amount = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n })
  fc.assert(
    fc.property(amount, amount, fc.integer({ min: 0, max: 4_294_967_295 }), (sell, buy, validTo) => {
      const given = cow({ sellAmount: String(sell), buyAmount: String(buy), validTo: String(validTo) })
      const [, text = ''] = describeRequest(given)
      const [, whole = '', part = ''] = /^Sell ([0-9]+)(?:\.([0-9]+))? USDC/.exec(text) ?? []
      expect(BigInt(whole + part.padEnd(6, '0'))).toBe(sell)
      const [, gotWhole = '', gotPart = ''] = /at least ([0-9]+)(?:\.([0-9]+))? WETH/.exec(text) ?? []
      expect(BigInt(gotWhole + gotPart.padEnd(18, '0'))).toBe(buy)
    }),
  )
})
