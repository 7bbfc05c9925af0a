import { LatchkeyError, productKey, trustedTypesPolicy } from '@latchkey/protocol'
import type { LoadSecondFile, SecondFile } from '../client/second-file.ts'

/** Returns the address of the second file on the origin of the script. Its folder is the hash of its content. */
export const secondFileAddress = (loaderAddress: string, folder: string) =>
  new URL(`/loader/${folder}/loader-more.js`, loaderAddress).href

type Pinned = { address: string; integrity: string; nonce: string }

/**
 * The second file as a script element, since a browser holds only elements to a hash. It answers at that element.
 * Rejects when it does not run: an altered file, none at the address, or a policy of the page.
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
        `${address} did not run: its server, script-src, trusted-types ${trustedTypesPolicy} or an ad blocker may keep it back`,
        { cause },
      )
    })
    return loaded
  }
}

/** TypeScript's own DOM types do not have trusted types yet. https://www.w3.org/TR/trusted-types/ */
type Policy = { createScriptURL(asked: string): unknown }
type PolicyFactory = { createPolicy(name: string, rules: Policy): Policy }

/**
 * A page that demands Trusted Types takes addresses of scripts from a policy only. Whether it does, it tells by a
 * violation alone, which sites count; so a policy is made wherever there can be one. It knows one address.
 */
function trusted(address: string): unknown {
  const factory: PolicyFactory | undefined = Reflect.get(globalThis, 'trustedTypes')
  try {
    const policy = factory?.createPolicy(trustedTypesPolicy, { createScriptURL: () => address })
    return policy ? policy.createScriptURL(address) : address
  } catch {
    // The page allows no policy of this name. If it demands one too, it refuses the plain address.
    return address
  }
}
