import { useAtomValue } from 'jotai/react'
import { Logo } from '../../ui/logo.tsx'
import { brandingAtom } from '../atoms.ts'
import styles from './app-identity.module.css'

export type AppIdentityProps = {
  appName: string
  iconUrl: string | undefined
  /** The origin of the caller, verified by the browser. Null in a standalone dialog. */
  origin: string | null
  /** Whether the caller is a dapp behind a relay. Its unverified icon is not shown. */
  isRelayed?: boolean | undefined
}

/** Shows the self-declared name of the app and its origin, which the browser verifies. */
export function AppIdentity({ appName, iconUrl, origin, isRelayed }: AppIdentityProps) {
  const { logoUrl } = useAtomValue(brandingAtom)
  return (
    <p className={styles.identity}>
      <Logo name={appName} url={isRelayed ? undefined : (iconUrl ?? logoUrl)} size="small" />
      <bdi className={styles.name}>{appName}</bdi>
      {origin !== null && (
        <bdi className={styles.origin} dir="ltr">
          {origin.replace(/^https:\/\//, '')}
        </bdi>
      )}
    </p>
  )
}
