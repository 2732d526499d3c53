import type { Brand } from '../domain/brand.ts'
import type { Settings } from '../settings/read-settings.ts'

/** Returns the brand of a company; for none or an unknown one, the only company's, or else the bridge's. */
export function brandsOf(settings: Settings): (companyId?: string) => Brand {
  const companies = settings.companies ?? [settings.embedded.company]
  const brands = new Map(
    companies.map(({ company: { id, name }, brand }) => {
      const known = name === id ? null : name
      const { brand: ofBridge } = settings
      return [
        id,
        {
          name: brand.name ?? ofBridge.name ?? known,
          logo: brand.logo ?? ofBridge.logo,
          color: brand.color ?? ofBridge.color,
        },
      ]
    }),
  )
  const [only, ...others] = brands.values()
  const ofNone = only && others.length === 0 ? only : settings.brand
  return (companyId = '') => brands.get(companyId) ?? ofNone
}
