"""What an agent can call. A tool plans an ActionPayload for the execution layer; it never acts itself."""
