/* 小包 📦 */ import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

const depot: McpServer = new McpServer({ name: 'depot', version: '1.0.0' })

/* 小包 📦 */ depot.registerTool('find_parcel', { description: 'Looks a parcel up by its number and says where it is.', inputSchema: { number: z.string() } }, async ({ number }) => ({
  content: [{ type: 'text', text: `find_parcel: ${number}` }],
}))

await depot.connect(new StdioServerTransport())
