// Writes the settings that mirror [tool.echolot] into package.json, from the language server's own schema.
// usage: node scripts/settings.mjs [--check]     --check: exit 1 where package.json is stale
import { readFileSync, writeFileSync } from 'node:fs'

const schema = JSON.parse(readFileSync(new URL('../../../echolot_lsp/config/settings.schema.json', import.meta.url), 'utf8'))
const file = new URL('../package.json', import.meta.url)
const before = readFileSync(file, 'utf8')
const manifest = JSON.parse(before)
const own = manifest.contributes.configuration.properties
const kept = Object.fromEntries(Object.entries(own).filter(([key]) => /^echolot\.(server|trace)\./.test(key)))

/** `context-window` as VS Code spells settings: `contextWindow`. */
const spelled = (key) => key.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())

/** VS Code reads draft 7 without references into `$defs` of ours: they are written out. */
function written(node) {
  if (Array.isArray(node)) return node.map(written)
  if (node === null || typeof node !== 'object') return node
  if (node.$ref) return written(schema.$defs[node.$ref.split('/').pop()])
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, written(value)]))
}

let order = 10
const mirrored = {}
for (const [key, property] of Object.entries(schema.properties)) {
  const { description, default: _, ...rest } = written(property)
  mirrored[`echolot.${spelled(key)}`] = { ...rest, markdownDescription: `${description} As \`${key}\` in \`[tool.echolot]\`; set here, it wins.`, order: order++, scope: 'resource' }
}
manifest.contributes.configuration.properties = { ...kept, ...mirrored }
const after = JSON.stringify(manifest, null, 2) + '\n'
if (process.argv.includes('--check')) {
  if (after !== before) {
    console.error('package.json is stale: run node scripts/settings.mjs')
    process.exit(1)
  }
} else writeFileSync(file, after)
