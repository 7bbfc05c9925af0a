/** Which chains an app works on, and where they are asked: what an operator may write of them. */
import * as v from 'valibot'
import { appLimits } from '../limits.ts'

/** https, or this machine while an app is developed. */
const rpcUrl = v.pipe(
  v.string(),
  v.url(),
  v.regex(/^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|\[::1\]|[a-z0-9-]+\.localhost)(:\d+)?(\/|$))/),
)
const chainId = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
const chainKey = v.pipe(v.string(), v.regex(/^[1-9][0-9]{0,14}$/, 'A chain is named by its number'))

export const chainSettings = {
  rpcUrls: v.record(chainKey, v.pipe(v.array(rpcUrl), v.minLength(1), v.maxLength(appLimits.maxRpcUrls))),
  testNetworks: v.array(chainId),
}
