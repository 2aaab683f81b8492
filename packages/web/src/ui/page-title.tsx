import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { communityQuery } from '../lib/community.ts'

/** Names the page in the browser's tab, history and bookmarks, together with the community. Every page has one. */
export const PageTitle = ({ children }: { readonly children?: string | undefined }) => {
  const { data } = useQuery(communityQuery)
  const site = data?.site_name ?? 'Lyceum'
  useEffect(() => {
    document.title = children ? `${children} · ${site}` : site
  }, [children, site])
  return null
}
