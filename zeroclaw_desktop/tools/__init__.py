"""What an agent can call. A tool plans an ActionPayload and hands it to the execution layer; it never acts."""
