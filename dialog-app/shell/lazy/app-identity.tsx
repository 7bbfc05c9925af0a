import { useAtomValue } from 'jotai/react'
import { Logo } from '../../ui/logo.tsx'
import { brandingAtom } from '../atoms.ts'
import styles from './app-identity.module.css'

export type AppIdentityProps = {
  appName: string
  iconUrl: string | undefined
  /** Who asks, as the browser vouches for it; null when the dialog stands alone. */
  origin: string | null
  /** A dapp that asks through a relay, which has no picture here: nobody vouches for it. */
  isRelayed?: boolean | undefined
}

/** The name is what the app says of itself; the origin is what the browser vouches for. */
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
