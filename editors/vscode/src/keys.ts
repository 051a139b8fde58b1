// API keys in the editor's secret store. They reach the language server as environment variables and are written nowhere else.
import * as vscode from 'vscode'

const PROVIDERS = [
  { label: 'Anthropic', variable: 'ANTHROPIC_API_KEY' },
  { label: 'OpenAI', variable: 'OPENAI_API_KEY' },
  { label: 'Google Gemini', variable: 'GEMINI_API_KEY' },
]

/** The stored keys as environment variables; a key that the editor's own environment has stays unless one is stored. */
export async function keyEnvironment(secrets: vscode.SecretStorage): Promise<Record<string, string>> {
  const environment: Record<string, string> = {}
  for (const { variable } of PROVIDERS) {
    const key = await secrets.get(variable)
    if (key) environment[variable] = key
  }
  return environment
}

/** Asks for a provider and its key; answers whether something was stored. */
export async function setKey(secrets: vscode.SecretStorage): Promise<boolean> {
  const provider = await vscode.window.showQuickPick(PROVIDERS, { placeHolder: 'Whose key do you want to store?' })
  if (!provider) return false
  const key = await vscode.window.showInputBox({ prompt: `${provider.label} API key. It is kept in the editor's secret store.`, password: true, ignoreFocusOut: true })
  if (!key?.trim()) return false
  await secrets.store(provider.variable, key.trim())
  return true
}

/** Asks which stored key to forget; answers whether one was removed. */
export async function removeKey(secrets: vscode.SecretStorage): Promise<boolean> {
  const stored = []
  for (const provider of PROVIDERS) if (await secrets.get(provider.variable)) stored.push(provider)
  if (!stored.length) {
    void vscode.window.showInformationMessage('Echolot has no stored key.')
    return false
  }
  const provider = await vscode.window.showQuickPick(stored, { placeHolder: 'Which key do you want to remove?' })
  if (!provider) return false
  await secrets.delete(provider.variable)
  return true
}
