// URLCaching: URLCache's interface over the engine.
