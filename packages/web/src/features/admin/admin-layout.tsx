import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { communityQuery } from '../../lib/community.ts'
import { useMe } from '../../lib/session.ts'
import style from './admin-layout.module.css'
import { AREA_GROUPS, allowedAreas, areaOfPath } from './admin-nav.ts'

/** Layout of the administration: a side navigation, or a select on phones. */
export const AdminLayout = () => {
  const { t } = useTranslation('admin')
  const areas = allowedAreas(useMe(), useQuery(communityQuery).data?.features)
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const groups = AREA_GROUPS.map((group) => ({ group, own: areas.filter((area) => area.group === group) })).filter(
    ({ own }) => own.length > 0,
  )
  const here = areaOfPath(areas, pathname)
  const side = useRef<HTMLElement>(null)
  const current = here?.key
  useEffect(() => {
    // The navigation can be taller than the window.
    if (current) side.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <div className={style.frame} data-wide>
      <nav ref={side} className={style.side} aria-label={t('areas.label')}>
        {groups.map(({ group, own }) => (
          <div key={group} className={style.group}>
            <p id={`areas-${group}`} hidden={own.length === 1}>
              {t(`areas.${group}`)}
            </p>
            <ul aria-labelledby={`areas-${group}`}>
              {own.map(({ to, key, icon: Icon }) => (
                <li key={key}>
                  <Link to={to} className={style.item} activeProps={{ 'aria-current': 'page' }} activeOptions={{ exact: to === '/admin' }}>
                    <Icon aria-hidden="true" />
                    {t(`area.${key}`)}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <select
        className={style.select}
        aria-label={t('areas.label')}
        value={here?.to ?? ''}
        onChange={(event) => navigate({ to: event.currentTarget.value })}
      >
        {groups.map(({ group, own }) => (
          <optgroup key={group} label={t(`areas.${group}`)}>
            {own.map(({ to, key }) => (
              <option key={key} value={to}>
                {t(`area.${key}`)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
      <div className={style.content}>
        <Outlet />
      </div>
    </div>
  )
}
