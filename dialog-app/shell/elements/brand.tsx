import { useAtomValue } from 'jotai/react'
import { Logo } from '../../ui/logo.tsx'
import { Lead, Title } from '../../ui/title.tsx'
import { brandingAtom } from '../atoms.ts'
import styles from './brand.module.css'

type BrandProps = { title: string; lead?: string | undefined }

/** The logo of the app with a title, before and after the login. */
export function Brand({ title, lead }: BrandProps) {
  const { name, logoUrl } = useAtomValue(brandingAtom)
  return (
    <div className={styles.brand}>
      <Logo name={name} url={logoUrl} />
      <Title>{title}</Title>
      {lead !== undefined && <Lead>{lead}</Lead>}
    </div>
  )
}
