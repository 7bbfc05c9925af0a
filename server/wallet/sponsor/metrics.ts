import { product } from '@latchkey/protocol'
import { counter, gauge } from '../../kernel/telemetry/instruments.ts'

export const sponsoredUsd = counter({
  name: `${product.key}.sponsored.usd`,
  unit: '{dollar}',
  description: 'Fees that the server paid for users, by chain',
  attributes: ['chain'],
})
export const sponsoredOperations = counter({
  name: `${product.key}.sponsored.operations`,
  unit: '{operation}',
  description: 'Operations whose fees the server pays, by chain and outcome',
  attributes: ['chain', 'outcome'],
})
export const relayBalance = gauge({
  name: `${product.key}.sponsor.balance`,
  unit: '{coin}',
  description: 'The balance of the account that pays the fees, by chain',
  attributes: ['chain'],
})
