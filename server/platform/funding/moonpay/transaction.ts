/** A payment as MoonPay writes one. https://dev.moonpay.com/reference/get_v1-transactions-ext-transactionid */
import { type OnRampTransaction, onRampTransaction } from '@latchkey/protocol/api'
import * as v from 'valibot'

type Status = OnRampTransaction['status']

const statuses: Readonly<Record<string, Status>> = {
  completed: 'completed',
  failed: 'failed',
  waitingAuthorization: 'waitingAuthorization',
  awaitingAuthorization: 'awaitingAuthorization',
  pending: 'pending',
}
/** A status that MoonPay did not have when this was written counts as pending: the payment is on its way. */
const statusOf = (said: string): Status =>
  (Object.hasOwn(statuses, said) ? statuses[said] : undefined) ?? 'pending'

export const moonPayTransaction = v.pipe(
  v.object({
    ...v.omit(onRampTransaction, ['status', 'currency']).entries,
    status: v.string(),
    currency: v.optional(v.nullable(v.object({ code: v.string() }))),
  }),
  v.transform(
    ({ status, currency, ...rest }): OnRampTransaction => ({
      ...rest,
      status: statusOf(status),
      ...(currency && { currency: { code: currency.code } }),
    }),
  ),
  onRampTransaction,
)
