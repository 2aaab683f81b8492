import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { communityQuery } from '../lib/community.ts'

/** Sets the document title to the page name and the community name. Every page renders one. */
export const PageTitle = ({ children }: { readonly children?: string | undefined }) => {
  const { data } = useQuery(communityQuery)
  const site = data?.site_name ?? 'Lyceum'
  useEffect(() => {
    document.title = children ? `${children} · ${site}` : site
  }, [children, site])
  return null
}
