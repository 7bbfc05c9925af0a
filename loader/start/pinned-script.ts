import { LatchkeyError, productKey, trustedTypesPolicy } from '@latchkey/protocol'
import type { LoadSecondFile, SecondFile } from '../client/second-file.ts'

/** Returns the address of the second file on the origin of the script. Its folder is the hash of its content. */
export const secondFileAddress = (loaderAddress: string, folder: string) =>
  new URL(`/loader/${folder}/loader-more.js`, loaderAddress).href

type Pinned = { address: string; integrity: string; nonce: string }

/**
 * Loads the second file with a script element, because browsers check `integrity` only on elements. The file
 * dispatches its exports at that element.
 *
 * Rejects if it does not run: altered file, missing file, or blocked by the page's policy.
 */
export function pinnedScript({ address, integrity, nonce }: Pinned): LoadSecondFile {
  let src: unknown
  let loaded: Promise<SecondFile> | undefined
  const load = () =>
    new Promise<SecondFile>((resolve, reject) => {
      const script = document.createElement('script')
      const settle = (event: Event) => {
        script.remove()
        if (event instanceof CustomEvent) resolve(event.detail)
        else reject()
      }
      for (const type of [productKey, 'load', 'error']) script.addEventListener(type, settle)
      src ??= trusted(address)
      Object.assign(script, { integrity, nonce, crossOrigin: 'anonymous', src })
      document.head.append(script)
    })
  return () => {
    loaded ??= load().catch((cause) => {
      loaded = undefined
      throw new LatchkeyError(
        'server_unreachable',
        `${address} did not run: check its server, script-src, trusted-types ${trustedTypesPolicy} and ad blockers`,
        { cause },
      )
    })
    return loaded
  }
}

/** The DOM types of TypeScript lack Trusted Types. https://www.w3.org/TR/trusted-types/ */
type Policy = { createScriptURL(url: string): unknown }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

/**
 * Returns the address as a trusted script URL. A page that requires Trusted Types accepts only URLs from a
 * policy. The requirement is observable only by a violation, which sites report, so a policy is created
 * whenever possible. It allows one address.
 */
function trusted(address: string): unknown {
  const factory: PolicyFactory | undefined = Reflect.get(globalThis, 'trustedTypes')
  try {
    const policy = factory?.createPolicy(trustedTypesPolicy, { createScriptURL: () => address })
    return policy ? policy.createScriptURL(address) : address
  } catch {
    // The page does not allow this policy name. If it requires a policy, the browser refuses the plain address.
    return address
  }
}
